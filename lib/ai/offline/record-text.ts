import { arabic } from '../languages/arabic.ts';
import { english, type FactKind, type Phrases } from '../languages/english.ts';
import { alternativesOf, foldedWordsOf, stemsOf } from '../retrieval/words.ts';
import type {
  EntryAnswer,
  EntryFieldAnswer,
  Found,
  MenuHit,
  PriceAnswer,
  ProductAnswer,
  ProductDetails,
} from '../tool-answers.ts';

/** Questions about a named product. */
interface ProductWish {
  readonly stock: boolean;
  readonly allergens: boolean;
}

/** The text of a product: its prices, its availability, and its description. */
export function productText(product: ProductDetails, { stock, allergens }: ProductWish, phrases: Phrases): string {
  const { name, prices, intro, description, soldOut, dietary = [] } = product;
  const price = prices.length > 0 ? phrases.price(name, pricesText(product, phrases)) : phrases.noPrice(name);
  const labels = (list: readonly string[]) => list.map((label) => labelText(label, phrases)).join(phrases.comma);
  const isKnown = product.allergens !== undefined && product.allergens.length > 0;
  const safety = [
    dietary.length > 0 && phrases.dietary(labels(dietary)),
    isKnown ? phrases.allergens(labels(product.allergens ?? [])) : phrases.noAllergens,
    // No stored list is a guarantee: recipes change, and traces are not listed.
    phrases.askAboutAllergies,
  ];
  const details = allergens
    ? [`${name}:`, ...safety]
    : [price, sentence(description ?? intro), dietary.length > 0 && phrases.dietary(labels(dietary))];
  const out = soldOut ? phrases.soldOut(name) : stock ? phrases.available(name) : '';
  return (stock ? [out, ...details] : [...details, out]).filter(Boolean).join(' ');
}

/** A list of products, with one line each. */
export function listText(heading: string, { results, total }: Found<MenuHit>, phrases: Phrases): string {
  const lines = results.map((product) => {
    const price = product.prices.length > 0 ? `: ${pricesText(product, phrases)}` : '';
    return `- ${product.name}${price}${product.soldOut ? phrases.soldOutMark : ''}`;
  });
  const more = total - results.length;
  return [heading, ...lines, ...(more > 0 ? [phrases.more(more)] : [])].join('\n');
}

const pricesText = ({ prices, currency }: ProductAnswer, phrases: Phrases): string =>
  prices.map((price) => priceText(price, currency, phrases)).join(phrases.comma);

function priceText({ price, name }: PriceAnswer, currency: string | null, { currencyOf }: Phrases): string {
  const unit = currency === null ? '' : currencyOf(currency);
  const text = [amountText(price), unit].filter(Boolean).join(' ');
  return name ? `${text} (${name})` : text;
}

/** A whole number, or at least two decimals. */
function amountText(price: number): string {
  if (Number.isInteger(price)) return String(price);
  const [whole = '', decimals = ''] = String(price).split('.');
  return `${whole}.${decimals.padEnd(2, '0')}`;
}

/** The spoken form of a label, e.g. of TREE_NUTS. */
const labelText = (label: string, { labels }: Phrases): string =>
  labels[label.toUpperCase().replaceAll(/[\s-]+/g, '_')] ?? label.toLowerCase().replaceAll('_', ' ');

const sentence = (text = ''): string => (text === '' || /[.!?\u061f…]$/.test(text) ? text : `${text}.`);

const longCharactersMin = 45;
const shortFactsMax = 3;
const technicalKey =
  /^(?:slug|permalink|path|url|uri|link|href|map|sort|order|position|rank|weight|menu|tags?|icon|code|template|layout|status|state|type|kind|id|uid|sku|seo.*|meta.*|is_.*|.*_id)$/i;
const address = /^(?:https?:\/\/|\/)\S*$/;
const question = /[?\u061f]\s*$/;

/** The fields for people, without technical ones. */
const spokenFields = ({ title, fields }: EntryAnswer): EntryFieldAnswer[] =>
  fields.filter(
    ({ key, value }) => value.trim() !== '' && value !== title && !technicalKey.test(key) && !address.test(value),
  );

/** The text of an entry: the answer of a stored question, or the title with its fields. */
export function entryText(entry: EntryAnswer, comma: string): string {
  const spoken = spokenFields(entry);
  const long = spoken.filter(({ value }) => value.length >= longCharactersMin);
  const text = long.find(({ relevant }) => relevant) ?? long[0] ?? (spoken.length === 1 ? spoken[0] : undefined);
  const isAnswer = question.test(entry.title) || (spoken.length === 1 && long.length === 1);
  if (isAnswer && text) return text.value;
  const facts = spoken.filter((field) => field !== text);
  const relevant = facts.filter((field) => field.relevant);
  const short = (relevant.length > 0 ? relevant : facts).slice(0, shortFactsMax).map(factText);
  if (short.length === 0 && !text) return '';
  return [`${entry.title}: ${short.join(comma)}`.replace(/: $/, ':').replace(/([^:])$/, '$1.'), text?.value ?? '']
    .filter(Boolean)
    .join(' ');
}

/** The fields that match the question, in one line; blank if one of them is long. */
export function relevantFacts(entry: EntryAnswer, comma: string): string {
  const facts = spokenFields(entry).filter(({ relevant }) => relevant);
  if (question.test(entry.title) || facts.some(({ value }) => value.length >= longCharactersMin)) return '';
  return facts.length === 0 ? '' : `${entry.title}: ${facts.map(factText).join(comma)}`;
}

/** Adds the field's name to yes, no and numbers. */
const factText = ({ name, value }: EntryFieldAnswer): string => {
  const text = value.replace(/[.\s]+$/, '');
  return /^(?:yes|no|نعم|لا|[\d.,]+)$/i.test(text) ? `${name}: ${text}` : text;
};

const factStems: Readonly<Record<FactKind, ReadonlySet<string>>> = {
  hours: factNames('hours'),
  address: factNames('address'),
  phone: factNames('phone'),
  email: factNames('email'),
};

function factNames(kind: FactKind): ReadonlySet<string> {
  return new Set([english, arabic].flatMap(({ factNames: names }) => stemsOf(names[kind])));
}

/** The value of the field that contains a fact. The field is found by its name. */
export function factOf(entry: EntryAnswer, kind: FactKind): string | undefined {
  const isCalled = ({ key, name }: EntryFieldAnswer): boolean =>
    foldedWordsOf(`${key.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')} ${name}`)
      .flatMap(stemsOf)
      .some((stem) => factStems[kind].has(stem));
  return spokenFields(entry).find(isCalled)?.value;
}

/** The share of the stems that occur in an entry, 0 to 1. */
export function coverage(content: ReadonlySet<string>, { title, database, fields }: EntryAnswer): number {
  const stems = new Set(stemsOf([title, database, ...fields.map(({ value }) => value)].join(' ')));
  const found = [...content].filter((stem) => [...alternativesOf(stem)].some((alternative) => stems.has(alternative)));
  return content.size === 0 ? 0 : found.length / content.size;
}
