/** Shorter words are too often one letter from another word that is meant as it stands. */
const lengthMin = 5;

/** The known word that is one letter away, for mistyped names; the first one in order where there are several. */
export function nearestWord(word: string, known: ReadonlySet<string>): string | undefined {
  // Another digit is another thing.
  if (word.length < lengthMin || /\d/.test(word)) return undefined;
  let nearest: string | undefined;
  for (const candidate of known) {
    if (candidate[0] !== word[0] || !isOneAway(word, candidate)) continue;
    if (nearest === undefined || candidate < nearest) nearest = candidate;
  }
  return nearest;
}

/** Whether one letter more, less or other, or two neighbours swapped, makes one word of the other. */
function isOneAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const isRestEqual = (fromA: number, fromB: number) => a.slice(start + fromA) === b.slice(start + fromB);
  if (a.length > b.length) return isRestEqual(1, 0);
  if (a.length < b.length) return isRestEqual(0, 1);
  const swapped = a[start] === b[start + 1] && a[start + 1] === b[start];
  return isRestEqual(1, 1) || (swapped && isRestEqual(2, 2));
}
