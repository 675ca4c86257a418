import type { Phrases } from '../languages/language.ts';
import type { Found, MenuHit, PriceAnswer, ProductAnswer, ProductDetails } from '../tool-answers.ts';

/** Questions about a named product. */
export interface ProductWish {
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
