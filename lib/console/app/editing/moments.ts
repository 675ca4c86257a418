import { withoutLeapSecond } from '#lib/domain/text/calendar.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** The time zone of the browser. */
export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A stored time as an input's value, in a time zone: `2026-01-31T09:30`. */
export function localTime(stored: unknown, zone = browserZone()): string {
  const instant = Date.parse(typeof stored === 'string' ? withoutLeapSecond(stored) : '');
  if (Number.isNaN(instant)) return '';
  const text = new Date(wallClock(instant, zone)).toISOString();
  return text.slice(0, text.includes(':00.') ? -':00.000Z'.length : -'.000Z'.length);
}

/**
 * The time of an input with the offset of its time zone: `2026-01-31T09:30:00+03:00`. Null without a time. A time that
 * clocks show twice is the first one. One that they leave out is as much later as they are put forward.
 */
export function storedTime(local: string, zone = browserZone()): string | null {
  const wall = Date.parse(`${local}Z`);
  if (local === '' || Number.isNaN(wall)) return null;
  // Clocks change at most once within two days.
  const offsets = [wall - day, wall + day].map((instant) => offsetAt(instant, zone));
  const fitting = offsets.find((offset) => offsetAt(wall - offset, zone) === offset);
  return withOffset(wall - (fitting ?? offsets[0] ?? 0), zone);
}

/** What a clock shows at an instant, as if it were UTC, without fractions of a second. */
function wallClock(instant: number, zone: string): number {
  const parts = new Map(
    clockOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const [year = 0, month = 1, ...rest] = (['year', 'month', 'day', 'hour', 'minute', 'second'] as const).map((part) =>
    parts.get(part),
  );
  return Date.UTC(year, month - 1, ...(rest as [number, number, number, number]));
}

/** To make one takes a hundred times as long as to ask it. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const date = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const time = { hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
  const made = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...date, ...time });
  clocks.set(timeZone, made);
  return made;
}

const offsetAt = (instant: number, zone: string): number =>
  wallClock(instant, zone) - Math.floor(instant / 1_000) * 1_000;

/** An offset of a former century may have seconds, which no stored time has: that time is in UTC. */
function withOffset(instant: number, zone: string): string {
  const offset = offsetAt(instant, zone);
  if (offset % minute !== 0) return new Date(instant).toISOString();
  const text = new Date(instant + offset).toISOString().slice(0, -'.000Z'.length);
  const minutes = Math.abs(offset) / minute;
  const twoDigits = (part: number): string => String(part).padStart(2, '0');
  return `${text}${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}
