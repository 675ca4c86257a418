import { stemsOf } from '../retrieval/words.ts';
import type { MenuHit, ProductAnswer, ProductDetails } from '../tool-answers.ts';
import type { Lookups } from './lookups.ts';
import { optionLines } from './options-answer.ts';
import { labelText, type Phrases, pricesText } from './phrases.ts';
import { areAllCalled, productsFound } from './products-found.ts';
import { isAboutProducts, type Question, subjectOf } from './question.ts';

const matchMin = 0.5;
/** For who asks in a language that is not known. */
export const foreignMatchMin = 0.05;
/** For who has asked for a price or the like, which little but products have. */
const productMatchMin = 0.3;
/** With more of the question's words unknown, what was found is not what was asked for, only close to it. */
const wholeMatchMin = 0.65;

/** Whether what was found on the menu is about the question. */
export function isMenuGood(question: Question, lookups: Lookups): boolean {
  const [first] = productsFound(question, lookups).results;
  if (!first) return false;
  if (!question.isOfLabels && (question.diet !== undefined || question.prices !== undefined)) return true;
  const least = question.isForeign ? foreignMatchMin : isAboutProducts(question) ? productMatchMin : matchMin;
  return first.named || first.match >= least;
}

/** A reply about products: one in sentences, several as a list. */
export function answerFromMenu(question: Question, lookups: Lookups, phrases: Phrases): string {
  const { details } = lookups;
  const menu = productsFound(question, lookups);
  const wanted = details.flatMap((product) => wantedWith(question, product, details.length === 1, phrases));
  if (wanted.length > 0 && question.intents.has('options')) return wanted.join('\n');
  if ((question.isOfLabels || question.intents.has('nutrition')) && details.length > 0) {
    const texts = details.map((product) =>
      question.isOfLabels && !product.nutrition ? phrases.noLabels(product.name) : nutritionText(product, phrases),
    );
    return [...texts, phrases.askAboutAllergies].join('\n');
  }
  if (question.intents.has('ingredients') && details.length > 0) {
    return details.map((product) => ingredients(product, phrases)).join('\n');
  }
  const suggested = question.intents.has('pairing') ? details.flatMap((product) => suggestion(product, phrases)) : [];
  if (suggested.length > 0) return suggested.join('\n');
  if (wanted.length > 0) return wanted.join('\n');
  const named = menu.results.filter((product) => product.named);
  const products = named.length > 0 ? named : menu.results;
  const [first] = products;
  if (first && products.length === 1) {
    const closest = isWhole(question, first) ? [] : [phrases.closest];
    return [...closest, oneProduct(question, first, phrases)].join('\n');
  }
  return productList(question, products, named.length > 0 ? named.length : menu.total, phrases);
}

/** A product with the choices that are asked for, if any are. */
function wantedWith(question: Question, product: ProductDetails, isOnly: boolean, phrases: Phrases): string[] {
  const lines = optionLines(question, product, phrases);
  // Who asks for extras without saying of what is not told of each thing that it has none.
  if (lines.length === 0 && !(question.intents.has('options') && isOnly)) return [];
  const told = lines.length > 0 ? lines : [phrases.noOptions(product.name)];
  return [[oneProduct(question, product, phrases), ...told].join(' ')];
}

/** Whether a product is what was asked for; where nothing was named, everything is. */
const isWhole = (question: Question, { named, match }: MenuHit): boolean =>
  named || match >= wholeMatchMin || question.isForeign || stemsOf(subjectOf(question)).length === 0;

function ingredients({ name, description, intro, allergens = [] }: ProductDetails, phrases: Phrases): string {
  const text = phrases.description(name, description ?? intro ?? phrases.noDescription);
  const labels = allergens.map((label) => labelText(label, phrases)).join(phrases.comma);
  return labels === '' ? text : `${text} ${phrases.allergens(labels)}`;
}

const suggestion = ({ name, suggestions = [] }: ProductDetails, phrases: Phrases): string[] =>
  suggestions.length === 0 ? [] : [phrases.goesWith(name, suggestions.join(phrases.comma))];

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

/** How long those take of which it is known. */
export const minutesLines = (products: readonly ProductAnswer[], phrases: Phrases): string[] =>
  products.flatMap(({ name, preparationMinutes }) =>
    preparationMinutes === undefined ? [] : [phrases.minutes(name, preparationMinutes)],
  );

function productList(question: Question, products: readonly MenuHit[], total: number, phrases: Phrases): string {
  const lines = productLines(products, total, phrases);
  const isFound = products.some((product) => isWhole(question, product)) || areAllCalled(question, products);
  const heading = isFound ? phrases.found(total) : phrases.closest;
  if (!question.intents.has('preparation')) return [heading, ...lines].join('\n');
  const minutes = minutesLines(products, phrases);
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
