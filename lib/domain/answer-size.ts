/** How much an answer may hold (lib/spec/decisions.md section 3). */
export const expandedObjectsMax = 50_000;
export const answerBytesMax = 5 * 1_048_576;

/** The bytes of a piece of JSON as it travels through Lambda: inside a JSON string, so quotes and backslashes double. */
export function travelBytes(json: string): number {
  let escapes = 0;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === 0x22 || code === 0x5c) escapes++;
  }
  return Buffer.byteLength(json) + escapes;
}

/** Whether a whole answer is larger than it may be. A unit of a text travels as three bytes at most. */
export const isTooLarge = (json: string): boolean =>
  3 * json.length > answerBytesMax && travelBytes(json) > answerBytesMax;

/** What a piece of an answer weighs. */
export interface Weight {
  readonly objects: number;
  readonly bytes: number;
}

export const fits = ({ objects, bytes }: Weight): boolean => objects <= expandedObjectsMax && bytes <= answerBytesMax;
