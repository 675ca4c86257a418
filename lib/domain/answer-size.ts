/** The maximum size of an answer (lib/spec/decisions.md section 3). */
export const answerBytesMax = 5 * 1_048_576;

/**
 * The bytes of JSON text inside a Lambda response. It is a JSON string there, so quotes and backslashes take two bytes.
 */
export function travelBytes(json: string): number {
  let escapes = 0;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === 0x22 || code === 0x5c) escapes++;
  }
  return Buffer.byteLength(json) + escapes;
}

/** True if an answer exceeds the bound. A UTF-16 unit takes at most three bytes, so short texts are not measured. */
export const isTooLarge = (json: string): boolean =>
  3 * json.length > answerBytesMax && travelBytes(json) > answerBytesMax;
