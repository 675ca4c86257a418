/** The day of a time in the browser's time zone, as an input's value: `2026-01-31`. Empty without a time. */
export function dayOf(time: unknown): string {
  const date = new Date(typeof time === 'string' ? time : Number.NaN);
  if (Number.isNaN(date.getTime())) return '';
  const digits = (part: number, length: number) => String(part).padStart(length, '0');
  return `${digits(date.getFullYear(), 4)}-${digits(date.getMonth() + 1, 2)}-${digits(date.getDate(), 2)}`;
}

/** The end of a day in the time zone of the browser, as a UTC time. Null for an empty day. */
export const endOfDay = (day: string): string | null => timeOf(`${day}T23:59:59`);

/** The end of the day after this number of days. */
export const daysAhead = (days: number, now: number): string | null =>
  endOfDay(dayOf(new Date(now + days * 24 * 60 * 60 * 1_000).toISOString()));

/** The start of a day in the time zone of the browser, as a UTC time. Null for an empty day. */
export const startOfDay = (day: string): string | null => timeOf(`${day}T00:00:00`);

/** The beginning of the next day, as an exclusive bound. */
export function startOfNextDay(day: string): string | null {
  const date = new Date(`${day}T00:00:00`);
  if (Number.isNaN(date.getTime())) return null;
  // Not 24 hours later, because days on which clocks change are longer or shorter.
  date.setDate(date.getDate() + 1);
  return date.toISOString();
}

function timeOf(local: string): string | null {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
