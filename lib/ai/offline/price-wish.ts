import { foldText } from '#lib/domain/text/folded-text.ts';
import { foldedWordsOf } from '../retrieval/folded-words.ts';

/** The prices in a message, as parameters of the menu's search. */
export interface PriceWish {
  readonly minPrice?: number;
  readonly maxPrice?: number;
  readonly sort?: 'cheapest' | 'dearest';
}

const atMost =
  'under|below|less than|cheaper than|up to|at most|max|maximum|no more than|not more than|within|اقل من|باقل من|ارخص من|تحت|دون|حتي|بحدود|في حدود|(?:لا|ما) (?:يزيد|تزيد|يتجاوز|تتجاوز|يتعدي|تتعدي)(?: عن)?';
const orLess = 'or less|or under|or cheaper|max|maximum|او اقل|واقل|فاقل|بالكثير|كحد اقصي';
const moreThan = 'over|above|more than|higher than|pricier than|اكثر من|باكثر من|فوق|اعلي من|اغلي من|ازيد من';
const atLeast = 'at least|minimum|min|starting from|(?:لا|ما) (?:يقل|تقل)(?: عن)?|علي الاقل|كحد ادني';
const orMore = 'or more|or over|or above|and up|and above|او اكثر|واكثر|فاكثر|وفوق|فما فوق';

const amount = '(\\d{1,6}(?:[.,\u066b]\\d{1,3})?)(?!\\d)';
const currency = '(?:(?:sar|aed|kwd|qar|bhd|omr|jod|egp|usd|eur|gbp|sr|[$€£]) ?)?';
const money =
  '(?:sar|aed|kwd|qar|bhd|omr|jod|egp|usd|eur|gbp|sr|[$€£]|rials?|riyals?|dirhams?|dinars?|dollars?|euros?|pounds?|ريال|درهم|دراهم|دينار|دنانير|جنيه|دولار|يورو)';
/** Excludes amounts that are no prices. */
const other =
  '(?! ?(?:min|hour|kcal|cal|guest|people|person|pax|year|day|week|month|am|pm|oclock|%|دقي|ساع|سعر|شخص|اشخاص|ضي|نفر|سن|يوم|صباح|مساء))';
const start = '(?:^|[^\\p{L}])';
const unit = '(?: ?[\\p{L}$€£]{1,10})?';

const pattern = (text: string) => new RegExp(text, 'u');
const budget = 'i (?:only )?have|budget of|budget is|my budget|معي|معاي|ميزانيتي';
const and = '(?:and|to|till|until|-|–|و|الي|ل|لين|حتي)';
const between = [
  pattern(`${start}(?:between|بين) ${currency}${amount}${unit} ?${and} ?${currency}${amount}${other}`),
  pattern(`${start}(?:from|من) ${currency}${amount}${unit} ?${and} ?${amount} ?${money}`),
  pattern(`${start}${amount} ?${and} ?${amount} ?${money}`),
];
const most = [
  pattern(`${start}(?:${budget}) ${currency}${amount} ?${money}`),
  pattern(`${start}(?:${atMost}) ${currency}${amount}${other}`),
  pattern(`${amount}${other}${unit} (?:${orLess})(?!\\p{L})`),
];
const least = [
  pattern(`${start}(?:${atLeast}) ${currency}${amount}${other}`),
  pattern(`${amount}${other}${unit} (?:${orMore})(?!\\p{L})`),
];
const more = [pattern(`${start}(?:${moreThan}) ${currency}${amount}${other}`)];

/** Prices have at most three decimals, so "more than" an amount means at least this much more. */
const leastDifference = 0.001;

const cheapest = wordsPattern(
  'cheapest, least expensive, most affordable, lowest price, lowest priced, أرخص, الأرخص, أقل سعر, أقل الأسعار',
);
const dearest = wordsPattern(
  'most expensive, priciest, dearest, costliest, highest price, highest priced, أغلى, الأغلى, أعلى سعر',
);

function wordsPattern(list: string): RegExp {
  const words = list.split(',').map((phrase) => foldedWordsOf(phrase).join(' '));
  return new RegExp(`(?<!\\p{L})(?:و)?(?:${words.join('|')})(?!\\p{L})`, 'u');
}

const numberOf = (text: string): number => Number(text.replace(/[,\u066b]/, '.'));

function firstMatch(patterns: readonly RegExp[], text: string): number[] | undefined {
  for (const regex of patterns) {
    const match = regex.exec(text);
    if (match) return match.slice(1).map(numberOf);
  }
  return undefined;
}

/** Reads the prices in a text. `rest` is the text without them. */
export function priceWishOf(text: string): { readonly prices: PriceWish | undefined; readonly rest: string } {
  const folded = foldText(text).replaceAll(/\s+/g, ' ');
  const bounds = boundsOf(folded);
  if (bounds) return { prices: bounds, rest: folded.replaceAll(/\d+(?:[.,\u066b]\d+)?/g, ' ') };
  const words = foldedWordsOf(text).join(' ');
  for (const [sort, regex] of [['cheapest', cheapest] as const, ['dearest', dearest] as const]) {
    if (regex.test(words)) return { prices: { sort }, rest: words.replace(regex, ' ') };
  }
  return { prices: undefined, rest: text };
}

function boundsOf(folded: string): PriceWish | undefined {
  const [low, high] = firstMatch(between, folded) ?? [];
  if (low !== undefined && high !== undefined && low < high) return { minPrice: low, maxPrice: high };
  // "No more than 20" contains "more than 20", so maxima are tried first.
  const [maxPrice] = firstMatch(most, folded) ?? [];
  if (maxPrice !== undefined) return { maxPrice };
  const [minPrice] = firstMatch(least, folded) ?? [];
  if (minPrice !== undefined) return { minPrice };
  const [exclusiveMin] = firstMatch(more, folded) ?? [];
  return exclusiveMin === undefined ? undefined : { minPrice: exclusiveMin + leastDifference };
}
