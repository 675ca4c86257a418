import type { PriceAnswer } from '../tool-answers.ts';

/** The sentences that answers are made of, in one language; whatever is put into them is the workspace's own text. */
export interface Phrases {
  readonly greeting: string;
  readonly prompt: string;
  readonly thanks: string;
  /** Who answers. */
  readonly self: string;
  readonly farewell: string;
  /** When nothing fits. */
  readonly handOver: string;
  readonly handOverWanted: string;
  /** To who complains. */
  readonly sorry: string;
  readonly teamHelps: string;
  /** When only a part of a message is answered. */
  readonly rest: string;
  /** When a place is asked for that is not known. */
  readonly otherPlace: string;
  readonly orForm: (title: string) => string;
  readonly price: (name: string, prices: string) => string;
  /** Of a product that has just been named. */
  readonly costs: (prices: string) => string;
  readonly noPrice: (name: string) => string;
  readonly available: (name: string) => string;
  readonly soldOut: (name: string) => string;
  readonly soldOutMark: string;
  readonly allSoldOut: string;
  readonly noneSoldOut: string;
  readonly minutes: (name: string, minutes: number) => string;
  readonly noMinutes: (name: string) => string;
  readonly nutrition: (name: string, serving: string | null, facts: string) => string;
  /** Of what is asked for, whether it has a label or an allergen. */
  readonly noLabels: (name: string) => string;
  readonly noDescription: string;
  readonly description: (name: string, text: string) => string;
  readonly noNutrition: (name: string) => string;
  readonly allergens: (list: string) => string;
  readonly noAllergens: string;
  readonly dietary: (list: string) => string;
  readonly askAboutAllergies: string;
  readonly found: (total: number) => string;
  readonly inCategory: (category: string) => string;
  readonly categories: string;
  readonly more: (count: number) => string;
  readonly cheapest: string;
  readonly dearest: string;
  readonly options: (name: string, choices: string) => string;
  readonly noOptions: (name: string) => string;
  readonly closest: string;
  readonly goesWith: (name: string, list: string) => string;
  readonly form: (title: string, fields: string) => string;
  readonly comma: string;
  readonly semicolon: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly currencies: Readonly<Record<string, string>>;
  readonly productsCount: (count: number) => string;
}

/** Every price of a product with what it is for. */
export function pricesText(prices: readonly PriceAnswer[], currency: string | null, phrases: Phrases): string {
  return prices
    .map(({ price, name }) => {
      const amount = [amountText(price), currencyText(currency, phrases)];
      const text = amount.filter(Boolean).join(' ');
      return name ? `${text} (${name})` : text;
    })
    .join(phrases.comma);
}

export const currencyText = (currency: string | null, { currencies }: Phrases): string =>
  currency === null ? '' : (currencies[currency] ?? currency);

/** Whole, or with at least two decimals. */
export function amountText(price: number): string {
  if (Number.isInteger(price)) return String(price);
  const [whole = '', decimals = ''] = String(price).split('.');
  return `${whole}.${decimals.padEnd(2, '0')}`;
}

/** A label such as TREE_NUTS in words. */
export const labelText = (label: string, { labels }: Phrases): string =>
  labels[label.toUpperCase().replaceAll(/[\s-]+/g, '_')] ?? label.toLowerCase().replaceAll('_', ' ');
