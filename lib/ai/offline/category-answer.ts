import type { CategoryAnswer, Found, MenuHit } from '../tool-answers.ts';
import type { Lookups } from './lookups.ts';
import { isMenuGood, minutesLines, productLines } from './menu-answer.ts';
import type { Phrases } from './phrases.ts';
import { productsFound } from './products-found.ts';
import type { Question } from './question.ts';
import { answerFromSorted } from './sorted-answer.ts';

/** With more of the question's words unknown, a category is the closest that there is, or has nothing to do with it. */
const wholeMatchMin = 0.65;
const categoryMatchMin = 0.2;
/** So much more of the question has to be in a product. */
const productLead = 0.2;

/** The category that a question names, when it names nothing more exact. */
export function chosenCategory(question: Question, lookups: Lookups): CategoryAnswer | undefined {
  const [first, ...others] = lookups.categories;
  const category = first?.named ? first : (others.find(({ named, match }) => named && match === first?.match) ?? first);
  const [product] = productsFound(question, lookups).results;
  if (!category || question.isOfLabels) return undefined;
  if (category.match < (category.named ? categoryMatchMin : wholeMatchMin)) return undefined;
  const isProduct =
    product && (product.named || product.match > category.match + productLead) && isMenuGood(question, lookups);
  return isProduct ? undefined : category;
}

/** Whether a category fits a question in part. */
export const isClosest = ({ match }: CategoryAnswer): boolean => match < wholeMatchMin;

export function answerFromListing(
  question: Question,
  category: CategoryAnswer,
  listing: Found<MenuHit>,
  phrases: Phrases,
): string {
  const sorted = answerFromSorted(question, listing.results, phrases);
  if (sorted !== undefined) return sorted;
  const heading = isClosest(category) ? [phrases.closest] : [category.description];
  const minutes = question.intents.has('preparation') ? minutesLines(listing.results, phrases) : [];
  const lines = productLines(listing.results, listing.total, phrases);
  return [...heading, ...minutes, phrases.inCategory(category.name), ...lines].filter(Boolean).join('\n');
}

export const answerFromCategories = (categories: readonly CategoryAnswer[], phrases: Phrases): string =>
  [
    phrases.categories,
    ...categories.map(({ name, productsCount }) => `- ${name} (${phrases.productsCount(productsCount)})`),
  ].join('\n');
