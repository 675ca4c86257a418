/**
 * How deltas are spread out (lib/spec/decisions.md section 7): `text` repeats the reply, so every delta costs its
 * length.
 */
const apartMilliseconds = 40;
const heldMillisecondsMax = 250;
const growthMin = 0.02;

/** What was sent of a reply, and when last. */
export interface Sent {
  /** In UTF-16 units. */
  readonly length: number;
  /** Milliseconds of any one clock; `-Infinity` before the first delta. */
  readonly at: number;
}

/** Send the text up to `end`, or look again after `wait` milliseconds, or when there is more text. */
export type Pace = { readonly end: number } | { readonly wait: number };

/**
 * Whether it is time for the next delta. A pair of surrogates is never cut.
 * @param isComplete there will be no more text, and what is left waits for nothing
 */
export function nextDelta(text: string, sent: Sent, now: number, isComplete: boolean): Pace {
  const end = isComplete ? text.length : wholeCharacters(text);
  if (end <= sent.length) return { wait: Number.POSITIVE_INFINITY };
  const since = now - sent.at;
  if (isComplete || since >= heldMillisecondsMax) return { end };
  if (since < apartMilliseconds) return { wait: apartMilliseconds - since };
  return end - sent.length >= growthMin * sent.length ? { end } : { wait: heldMillisecondsMax - since };
}

/** Where a text can be cut at its end: not behind the first half of a pair. */
function wholeCharacters(text: string): number {
  return isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
}

/** Whether a UTF-16 unit is the first half of a pair. */
export const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
