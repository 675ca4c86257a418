import type { CategoryAnswer, Found, MenuHit } from '../tool-answers.ts';
import { productLines } from './menu-answer.ts';
import type { Phrases } from './phrases.ts';

export const answerFromListing = (category: CategoryAnswer, listing: Found<MenuHit>, phrases: Phrases): string =>
  [category.description, phrases.inCategory(category.name), ...productLines(listing.results, listing.total, phrases)]
    .filter(Boolean)
    .join('\n');

export const answerFromCategories = (categories: readonly CategoryAnswer[], phrases: Phrases): string =>
  [
    phrases.categories,
    ...categories.map(({ name, productsCount }) => `- ${name} (${phrases.productsCount(productsCount)})`),
  ].join('\n');
