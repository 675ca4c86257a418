const prefixes = ['وال', 'بال', 'كال', 'فال', 'ولل', 'لل', 'ال'];
const suffixes = ['كم', 'نا', 'هم', 'ها', 'ات', 'ان', 'ون', 'ين', 'يه', 'ه', 'ي'];
const stemLengthMin = 3;

/** A folded Arabic word without its article and the endings of number, gender and owner. */
export function arabicStem(word: string): string {
  const bare = verbStem(word) ?? withoutPrefix(word);
  return suffixes.reduce(
    (stem, suffix) =>
      stem.endsWith(suffix) && stem.length - suffix.length >= stemLengthMin ? stem.slice(0, -suffix.length) : stem,
    bare,
  );
}

/** "You deliver", "they deliver": a verb between the letter of its person and the ending of its number. */
function verbStem(word: string): string | undefined {
  const isVerb = /^[تي]/.test(word) && /(?:ون|وا)$/.test(word) && word.length >= stemLengthMin + 3;
  return isVerb ? word.slice(1, -2) : undefined;
}

function withoutPrefix(word: string): string {
  const prefix = prefixes.find((start) => word.startsWith(start) && word.length - start.length >= stemLengthMin - 1);
  return prefix ? word.slice(prefix.length) : word;
}
