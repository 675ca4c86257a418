import { foldText } from '#lib/domain/folded-text.ts';

/** How people ask for a label; the first that occurs counts, so what contains another comes before it. */
const phrases: readonly (readonly [diet: string, phrases: string])[] = [
  ['VEGAN', 'vegan|plant based|نباتي صرف|نباتيه صرفه|فيجن'],
  ['VEGETARIAN', 'vegetarians?|veggie|meatless|meat free|without meat|no meat|نباتيه|نباتي|نباتيين|بدون لحم|بلا لحم'],
  ['GLUTEN_FREE', 'gluten[ -]?free|without gluten|no gluten|celiac|coeliac|(?:خالي[ه]? من|بدون|بلا) (?:ال)?[جغ]لوتين'],
  ['NUT_FREE', 'nut[ -]?free|without nuts|no nuts|(?:خالي[ه]? من|بدون|بلا) (?:ال)?مكسرات'],
  [
    'DAIRY_FREE',
    'dairy[ -]?free|lactose[ -]?free|without (?:dairy|milk)|no dairy|(?:خالي[ه]? من|بدون|بلا) (?:ال)?(?:البان|حليب|لاكتوز)',
  ],
  ['HALAL', 'halal|حلال'],
];

const patterns = phrases.map(([diet, list]) => [diet, new RegExp(`(?<!\\p{L})(?:${list})(?!\\p{L})`, 'u')] as const);

/** The label that a text asks for, and the text without the words for it. */
export function dietOf(text: string): { readonly diet: string | undefined; readonly rest: string } {
  const folded = foldText(text);
  for (const [diet, pattern] of patterns) if (pattern.test(folded)) return { diet, rest: folded.replace(pattern, ' ') };
  return { diet: undefined, rest: text };
}
