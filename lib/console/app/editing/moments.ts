const twoDigits = (part: number): string => String(part).padStart(2, '0');

/** A stored time as an input's value, in the browser's time zone: `2026-01-31T09:30`. */
export function localTime(stored: unknown): string {
  const time = typeof stored === 'string' ? new Date(stored) : new Date(Number.NaN);
  if (Number.isNaN(time.getTime())) return '';
  const day = [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join('-');
  const seconds = time.getSeconds() === 0 ? '' : `:${twoDigits(time.getSeconds())}`;
  return `${day}T${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}${seconds}`;
}

/**
 * The time of an input with the offset of the browser's time zone: `2026-01-31T09:30:00+03:00`. Null without a time.
 */
export function storedTime(local: string): string | null {
  const time = new Date(local);
  if (local === '' || Number.isNaN(time.getTime())) return null;
  const minutes = -time.getTimezoneOffset();
  const hours = Math.floor(Math.abs(minutes) / 60);
  const rest = Math.abs(minutes) % 60;
  const offset = `${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`;
  return `${local.length === 'yyyy-mm-ddThh:mm'.length ? `${local}:00` : local}${offset}`;
}
