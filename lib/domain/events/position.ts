/** Stands before the id of a change in ids of events, and in positions. */
export const idPrefix = 'evt_';

/** A place in the feed: the id of an event, a place behind one, or the beginning of a time. */
export const isPosition = (text: string): boolean => /^evt_[0-9a-z]{9}(?:[0-9a-f]{12}(?:~[0-9]{6})?)?$/.test(text);

const latest = 36 ** 9 - 1;

/** The position before all events of a time and later ones. @param milliseconds since 1970; at most the year 5188 counts */
export const positionAt = (milliseconds: number): string => {
  const time = Math.min(Math.max(0, Math.ceil(milliseconds)), latest);
  return `${idPrefix}${time.toString(36).padStart(9, '0')}`;
};

/** Audit events are kept for 400 days, in milliseconds. */
export const auditKeptMilliseconds = 400 * 24 * 60 * 60_000;
