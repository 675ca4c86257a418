const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const timePattern = /^([01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:\.\d+)?)?$/;
const zonePattern = /(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Whether a text is `YYYY-MM-DD` and that day exists (lib/spec/decisions.md section 3). */
export function isDay(text: string): boolean {
  const [, year, month, day] = dayPattern.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

/** JavaScript has no leap seconds. The second before replaces one. */
export const withoutLeapSecond = (text: string): string => text.replace(/(:\d{2}):60/, '$1:59');

/** True for a time of day: `09:30`, optionally with seconds and a fraction. */
export const isTimeOfDay = (text: string): boolean => timePattern.test(text);

/**
 * True for an existing ISO 8601 day and time, e.g. `2026-01-31T09:30:00+03:00` (lib/spec/decisions.md section 3). Form
 * answers may omit the zone (lib/spec/decisions.md section 5).
 */
export function isDateTime(text: string, requirement: 'with zone' | 'zone optional'): boolean {
  const zone = zonePattern.exec(text)?.[0] ?? '';
  if (zone === '' && requirement === 'with zone') return false;
  return text[10] === 'T' && isDay(text.slice(0, 10)) && isTimeOfDay(text.slice(11, text.length - zone.length));
}

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (month === 2) return isLeap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
