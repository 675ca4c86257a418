import { foldText } from '#lib/domain/folded-text.ts';

const before =
  'under|below|less than|cheaper than|up to|at most|max|maximum|no more than|not more than|within|اقل من|باقل من|ارخص من|تحت|دون|حتي|بحدود|في حدود|(?:لا|ما) (?:يزيد|تزيد|يتجاوز|تتجاوز|يتعدي|تتعدي)(?: عن)?';
const after = 'or less|or under|or cheaper|max|maximum|او اقل|واقل|فاقل|بالكثير|كحد اقصي';
const amount = '(\\d{1,6}(?:[.,\u066b]\\d{1,3})?)';
const currency = '(?:(?:sar|aed|kwd|qar|bhd|omr|jod|egp|usd|eur|gbp|sr|[$€£]) ?)?';
/** Bounds of other things than prices. */
const other = '(?! ?(?:min|hour|kcal|cal|guest|people|person|دقي|ساع|سعر|شخص|اشخاص|ضي|نفر))';

const budget = 'i (?:only )?have|budget of|budget is|my budget|معي|معاي|ميزانيتي';
const money =
  '(?:sar|aed|kwd|qar|bhd|omr|jod|egp|usd|eur|gbp|sr|riyals?|dirhams?|dinars?|dollars?|euros?|ريال|درهم|دينار|جنيه|دولار|يورو)';

const patterns = [
  new RegExp(`(?:^|[^\\p{L}])(?:${budget}) ${currency}${amount} ?${money}`, 'u'),
  new RegExp(`(?:^|[^\\p{L}])(?:${before}) ${currency}${amount}(?!\\d)${other}`, 'u'),
  new RegExp(`${amount} (?:[\\p{L}$€£]{1,10} )?(?:${after})(?!\\p{L})`, 'u'),
];

/** The highest price that a text asks for. */
export function maxPriceOf(text: string): number | undefined {
  const folded = foldText(text).replaceAll(/\s+/g, ' ');
  const found = patterns.map((pattern) => pattern.exec(folded)?.[1]).find((match) => match !== undefined);
  return found === undefined ? undefined : Number(found.replace(/[,\u066b]/, '.'));
}
