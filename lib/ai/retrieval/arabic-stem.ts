const prefixes = ['وال', 'بال', 'كال', 'فال', 'ولل', 'لل', 'ال'];
const suffixes = ['كم', 'نا', 'هم', 'ها', 'ات', 'ان', 'ون', 'ين', 'يه', 'ه', 'ي'];
const stemLengthMin = 3;

/** Removes the article and the endings of number, gender and possession from a folded Arabic word. */
export function arabicStem(word: string): string {
  const stem = verbStem(word) ?? withoutPrefix(word);
  return suffixes.reduce(
    (stem, suffix) =>
      stem.endsWith(suffix) && stem.length - suffix.length >= stemLengthMin ? stem.slice(0, -suffix.length) : stem,
    stem,
  );
}

/** Removes the prefix of person and the ending of number from a verb, as in "you deliver". */
function verbStem(word: string): string | undefined {
  const isVerb = /^[تي]/.test(word) && /(?:ون|وا)$/.test(word) && word.length >= stemLengthMin + 3;
  return isVerb ? word.slice(1, -2) : undefined;
}

function withoutPrefix(word: string): string {
  const prefix = prefixes.find((start) => word.startsWith(start) && word.length - start.length >= stemLengthMin - 1);
  return prefix ? word.slice(prefix.length) : word;
}
