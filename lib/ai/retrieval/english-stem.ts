/**
 * Removes the plural and the most common verb endings from a folded English word. It is crude, but the same for
 * questions and records.
 */
export function englishStem(word: string): string {
  return withoutFinalE(withoutVerbEnding(singular(word))).replaceAll('ph', 'f');
}

function singular(word: string): string {
  if (word.length < 4) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:[sxz]|[cs]h)es$/.test(word)) return word.slice(0, -2);
  return /[^siu]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutVerbEnding(word: string): string {
  if (word.endsWith('ery') && word.length >= 8) return word.slice(0, -1);
  if (word.endsWith('ing') && word.length >= 7) return undoubled(word.slice(0, -3));
  return word.endsWith('ed') && word.length >= 6 ? undoubled(word.slice(0, -2)) : word;
}

/** "Shipping" comes from "ship", but "grilling" from "grill". */
const undoubled = (stem: string): string => (/([bdgmnprt])\1$/.test(stem) ? stem.slice(0, -1) : stem);

const withoutFinalE = (word: string): string => (word.endsWith('e') && word.length >= 5 ? word.slice(0, -1) : word);
