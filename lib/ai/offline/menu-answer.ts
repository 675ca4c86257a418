import { stemsOf } from '../retrieval/words.ts';
import type { MenuHit, ProductAnswer, ProductDetails } from '../tool-answers.ts';
import { type Question, subjectOf } from './intents.ts';
import type { Lookups } from './lookups.ts';
import { labelText, type Phrases, pricesText } from './phrases.ts';

/** A reply about products: one in sentences, several as a list. */
export function answerFromMenu(question: Question, { menu, details }: Lookups, phrases: Phrases): string {
  if (question.intents.has('nutrition') && details.length > 0) {
    return [...details.map((product) => nutritionText(product, phrases)), phrases.askAboutAllergies].join('\n');
  }
  const named = menu.results.filter((product) => product.named);
  const products = named.length > 0 ? named : menu.results;
  const [first] = products;
  if (first && products.length === 1) return oneProduct(question, first, phrases);
  return productList(question, products, named.length > 0 ? named.length : menu.total, phrases);
}

function oneProduct({ intents }: Question, product: ProductAnswer, phrases: Phrases): string {
  const { name, soldOut, intro, preparationMinutes: minutes } = product;
  const sentences: string[] = [];
  if (soldOut) sentences.push(phrases.soldOut(name));
  else if (intents.has('availability')) sentences.push(phrases.available(name));
  if (intents.has('preparation')) {
    sentences.push(minutes === undefined ? phrases.noMinutes(name) : phrases.minutes(name, minutes));
  }
  sentences.push(priceSentence(product, sentences.length > 0, phrases));
  const isGeneral = intents.size === 0;
  if (isGeneral && intro) sentences.push(intro);
  if (isGeneral && minutes !== undefined) sentences.push(phrases.minutes(name, minutes));
  return sentences.join(' ');
}

function priceSentence({ name, prices, currency }: ProductAnswer, isNamed: boolean, phrases: Phrases): string {
  if (prices.length === 0) return phrases.noPrice(name);
  const text = pricesText(prices, currency, phrases);
  return isNamed ? phrases.costs(text) : phrases.price(name, text);
}

/** A line for each product, and how many there are beyond. */
export function productLines(products: readonly ProductAnswer[], total: number, phrases: Phrases): string[] {
  const rest = total - products.length;
  return [
    ...products.map(({ name, prices, currency, soldOut }) => {
      const price = prices.length === 0 ? '' : `: ${pricesText(prices, currency, phrases)}`;
      return `- ${name}${price}${soldOut ? phrases.soldOutMark : ''}`;
    }),
    ...(rest > 0 ? [`- ${phrases.more(rest)}`] : []),
  ];
}

function productList(question: Question, products: readonly MenuHit[], total: number, phrases: Phrases): string {
  const lines = productLines(products, total, phrases);
  const heading =
    products[0]?.match === 0 && stemsOf(subjectOf(question)).length > 0 ? phrases.closest : phrases.found(total);
  if (!question.intents.has('preparation')) return [heading, ...lines].join('\n');
  const minutes = products.flatMap(({ name, preparationMinutes }) =>
    preparationMinutes === undefined ? [] : [phrases.minutes(name, preparationMinutes)],
  );
  return [...(minutes.length > 0 ? minutes : [heading]), ...lines].join('\n');
}

function nutritionText({ name, nutrition, allergens, dietary }: ProductDetails, phrases: Phrases): string {
  if (!nutrition) return phrases.noNutrition(name);
  const facts = Object.entries(phrases.facts).flatMap(([key, unit]) => {
    const amount = nutrition[key as keyof typeof nutrition];
    return typeof amount === 'number' ? [`${amount} ${unit}`] : [];
  });
  const list = (labels: readonly string[]) => labels.map((label) => labelText(label, phrases)).join(phrases.comma);
  return [
    facts.length > 0
      ? phrases.nutrition(name, nutrition.servingSize, facts.join(phrases.comma))
      : phrases.noNutrition(name),
    allergens && allergens.length > 0 ? phrases.allergens(list(allergens)) : phrases.noAllergens,
    ...(dietary && dietary.length > 0 ? [phrases.dietary(list(dietary))] : []),
  ].join(' ');
}
