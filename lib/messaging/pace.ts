/** Spacing of deltas (lib/spec/decisions.md section 7). Every delta repeats the whole reply in `text`. */
const intervalMilliseconds = 40;
const holdMillisecondsMax = 250;
const growthMin = 0.02;

/** Length of the sent part of a reply, with its time. */
export interface SentText {
  /** In UTF-16 units. */
  readonly length: number;
  /** In milliseconds of a monotonic clock. `-Infinity` before the first delta. */
  readonly at: number;
}

/** Either sends the text up to `end`, or checks again after `wait` milliseconds or new text. */
export type DeltaStep = { readonly end: number } | { readonly wait: number };

/**
 * Decides when to send the next delta. It never splits a surrogate pair.
 * @param isComplete no more text follows, so the rest is sent now
 */
export function nextDelta(text: string, sent: SentText, now: number, isComplete: boolean): DeltaStep {
  const isCut = !isComplete && isHighSurrogate(text.charCodeAt(text.length - 1));
  const end = isCut ? text.length - 1 : text.length;
  if (end <= sent.length) return { wait: Number.POSITIVE_INFINITY };
  const since = now - sent.at;
  if (isComplete || since >= holdMillisecondsMax) return { end };
  if (since < intervalMilliseconds) return { wait: intervalMilliseconds - since };
  return end - sent.length >= growthMin * sent.length ? { end } : { wait: holdMillisecondsMax - since };
}

/** Whether a UTF-16 unit is the first half of a surrogate pair. */
export const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
