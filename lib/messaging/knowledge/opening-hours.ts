import { dayNames } from './day-names.ts';

type Span = readonly [from: string, to: string];

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
type Day = (typeof days)[number];

/**
 * Opening hours in a line, when a JSON value has them: an object, or its member `week`, from names of days to spans of
 * times, `{ "fri": [["13:00", "01:00"]] }`, or to a text. Days with the same hours stand together.
 * @param note reads a text that goes with the hours, in whatever languages it has
 */
export function openingHoursText(value: unknown, language: string): string | undefined {
  const week = objectOf(objectOf(value)?.['week'] ?? objectOf(value)?.['days'] ?? value);
  if (!week) return undefined;
  const hours = new Map<Day, string>();
  for (const [name, spans] of Object.entries(week)) {
    const day = days.find((known) => name.slice(0, 3).toLowerCase() === known);
    const text = day && hoursOf(spans, language);
    if (text === undefined) return undefined;
    hours.set(day as Day, text);
  }
  return hours.size === 0 ? undefined : inGroups(hours, language);
}

function hoursOf(spans: unknown, language: string): string | undefined {
  if (typeof spans === 'string') return spans;
  if (spans === null || (Array.isArray(spans) && spans.length === 0)) return dayNames(language).closed;
  if (!Array.isArray(spans)) return undefined;
  const list: readonly unknown[] = isSpan(spans) ? [spans] : spans;
  if (!list.every(isSpan)) return undefined;
  return list.map(([from, to]) => `${from}–${to}`).join(dayNames(language).comma);
}

const isSpan = (value: unknown): value is Span =>
  Array.isArray(value) && value.length === 2 && value.every((time) => /^\d{1,2}:\d{2}$/.test(String(time)));

function inGroups(hours: ReadonlyMap<Day, string>, language: string): string {
  const { names, comma, semicolon, to, every } = dayNames(language);
  const present = days.filter((day) => hours.has(day));
  const groups = Map.groupBy(present, (day) => hours.get(day) ?? '');
  if (groups.size === 1 && present.length === days.length) return `${every} ${hours.get('sun')}`;
  return [...groups]
    .map(([text, group]) => {
      const runs = runsOf(group).map((run) =>
        run.length > 2
          ? `${names[run[0] ?? 0]}${to}${names[run.at(-1) ?? 0]}`
          : run.map((day) => names[day]).join(comma),
      );
      return `${runs.join(comma)} ${text}`;
    })
    .join(semicolon);
}

/** Neighbouring days, as their numbers. */
function runsOf(group: readonly Day[]): number[][] {
  const runs: number[][] = [];
  for (const day of group.map((name) => days.indexOf(name))) {
    const last = runs.at(-1);
    if (last && last.at(-1) === day - 1) last.push(day);
    else runs.push([day]);
  }
  return runs;
}

const objectOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
