/** Shorter words are too often one letter from another word that is meant as it stands. */
const lengthMin = 5;
/** In words as long as these people mistake two letters. */
const twoSlipsLengthMin = 8;

/**
 * The known word that a mistyped name is meant to be: the one that is one letter away, or, of long words, two; the
 * first one in order where there are several.
 */
export function nearestWord(word: string, known: ReadonlySet<string>): string | undefined {
  // Another digit is another thing.
  if (word.length < lengthMin || /\d/.test(word)) return undefined;
  const most = word.length < twoSlipsLengthMin ? 1 : 2;
  let nearest: { readonly word: string; readonly slips: number } | undefined;
  for (const candidate of known) {
    if (candidate[0] !== word[0]) continue;
    const slips = slipsBetween(word, candidate, most);
    if (slips > most) continue;
    const isNearer =
      nearest === undefined || slips < nearest.slips || (slips === nearest.slips && candidate < nearest.word);
    if (isNearer) nearest = { word: candidate, slips };
  }
  return nearest?.word;
}

/**
 * How many letters more, less or other, or neighbours swapped, make one word of the other; more than `most` where it
 * is more.
 */
function slipsBetween(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  if (start === a.length && start === b.length) return 0;
  if (most === 0) return 1;
  const rest = (fromA: number, fromB: number) => slipsBetween(a.slice(start + fromA), b.slice(start + fromB), most - 1);
  const isSwapped = start + 1 < a.length && a[start] === b[start + 1] && a[start + 1] === b[start];
  return 1 + Math.min(rest(1, 0), rest(0, 1), rest(1, 1), isSwapped ? rest(2, 2) : most);
}
