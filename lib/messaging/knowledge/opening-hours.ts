import { isObject, type JsonObject } from '#lib/domain/input.ts';
import { isArabic } from '#lib/domain/text/language-tag.ts';

type Span = readonly [from: string, to: string];

/** From Sunday on. */
const days = [0, 1, 2, 3, 4, 5, 6];

/**
 * Opening hours in one line, if a JSON value contains them. It reads schema.org's OpeningHoursSpecification and
 * Google's `periods`. It also reads an object, or its member `week` or `days`, whose keys are days such as `fri` or
 * `Mon-Fri`. The values are spans such as `[["13:00", "01:00"]]`, or texts. Days with the same hours are grouped.
 */
export function openingHoursText(value: unknown, language: string): string | undefined {
  const week = weekOf(value);
  if (!week) return undefined;
  const hours = new Map<number, string>();
  for (const [name, spans] of Object.entries(week)) {
    const named = daysNamed(name);
    const text = hoursOf(spans, language);
    if (named.length === 0 || text === undefined) return undefined;
    for (const day of named) hours.set(day, text);
  }
  return hours.size === 0 ? undefined : inGroups(hours, language);
}

type Week = Readonly<Record<string, unknown>>;

function weekOf(value: unknown): Week | undefined {
  const specifications = [objectOf(value)?.['openingHoursSpecification'] ?? value].flat().map(objectOf);
  if (
    specifications.length > 0 &&
    specifications.every((specification) => specification !== undefined && 'dayOfWeek' in specification)
  ) {
    return weekOfSpecifications(specifications as Week[]);
  }
  const periods = objectOf(value)?.['periods'];
  if (Array.isArray(periods)) return weekOfPeriods(periods.map(objectOf));
  return objectOf(objectOf(value)?.['week'] ?? objectOf(value)?.['days'] ?? value);
}

function weekOfSpecifications(specifications: readonly Week[]): Week {
  const spans = specifications.flatMap(({ dayOfWeek, opens, closes }) =>
    [dayOfWeek].flat().map((day) => ({
      day: String(day).split('/').at(-1) ?? '',
      span: opens === undefined || opens === closes ? [] : [[timeText(opens), timeText(closes)]],
    })),
  );
  return Object.fromEntries(
    [...Map.groupBy(spans, ({ day }) => day)].map(([day, list]) => [day, list.flatMap(({ span }) => span)]),
  );
}

/** A day without a period is closed. A single period without an end means always open. */
function weekOfPeriods(periods: readonly (Week | undefined)[]): Week {
  const spans = periods.map((period) => {
    const open = objectOf(period?.['open']);
    const close = objectOf(period?.['close']);
    return { day: Number(open?.['day']), span: [timeText(open), close ? timeText(close) : '24:00'] };
  });
  return Object.fromEntries(
    days.map((day) => [fullNames[day], spans.filter((each) => each.day === day).map(({ span }) => span)] as const),
  );
}

/** `07:00:00`, `0700` or `{ hour: 7, minute: 0 }` as `07:00`. */
function timeText(time: unknown): string {
  const { time: digits, hour, minute = 0 } = objectOf(time) ?? { time };
  const text = hour === undefined ? String(digits).replace(/^(\d\d)(\d\d)$/, '$1:$2') : `${hour}:${minute}`;
  const [hours = '', minutes = ''] = text.split(':');
  return `${hours.padStart(2, '0')}:${minutes.padStart(2, '0')}`;
}

const fullNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const dayNumber = (name: string): number => fullNames.findIndex((full) => name.length > 1 && full.startsWith(name));

/** The days of a name such as `fri`, `Friday`, `Mon-Fri` or `Sat & Sun`; none when it names no days. */
function daysNamed(name: string): number[] {
  const parts = name.toLowerCase().split(/\s*(-|–|to|,|&|and|\/)\s*/);
  const found = parts.filter((_, index) => index % 2 === 0).map(dayNumber);
  if (found.includes(-1)) return [];
  const [first = 0, last = first] = found;
  if (!['-', '–', 'to'].includes(parts[1] ?? '')) return found;
  const count = ((last - first + days.length) % days.length) + 1;
  return Array.from({ length: count }, (_, index) => (first + index) % days.length);
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

function inGroups(hours: ReadonlyMap<number, string>, language: string): string {
  const { comma, semicolon, to, every } = dayNames(language);
  const nameOf = (day = 0) => dayName(day, language);
  const present = days.filter((day) => hours.has(day));
  const groups = Map.groupBy(present, (day) => hours.get(day) ?? '');
  if (groups.size === 1 && present.length === days.length) return `${every} ${hours.get(0)}`;
  return [...groups]
    .map(([text, group]) => {
      const runs = runsOf(group).map((run) =>
        run.length > 2 ? `${nameOf(run[0])}${to}${nameOf(run.at(-1))}` : run.map(nameOf).join(comma),
      );
      return `${runs.join(comma)} ${text}`;
    })
    .join(semicolon);
}

/** Neighbouring days. */
function runsOf(group: readonly number[]): number[][] {
  const runs: number[][] = [];
  for (const day of group) {
    const last = runs.at(-1);
    if (last && last.at(-1) === day - 1) last.push(day);
    else runs.push([day]);
  }
  return runs;
}

const objectOf = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined);

const english = { to: ' to ', comma: ', ', semicolon: '; ', every: 'every day', closed: 'closed' };
const arabic: typeof english = { to: ' إلى ', comma: '، ', semicolon: '؛ ', every: 'كل يوم', closed: 'مغلق' };

/** The words for opening hours in a language, by default English. */
const dayNames = (language: string): typeof english => (isArabic(language) ? arabic : english);

const dayName = (day: number, language: string): string =>
  // The first day of this month was a Sunday.
  new Intl.DateTimeFormat(isArabic(language) ? 'ar' : 'en', { weekday: 'long', timeZone: 'UTC' }).format(
    Date.UTC(2023, 0, day + 1),
  );
