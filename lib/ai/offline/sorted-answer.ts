import type { ProductAnswer } from '../tool-answers.ts';
import { productLines } from './menu-answer.ts';
import type { Phrases } from './phrases.ts';
import type { Question } from './question.ts';

const lowestPrice = ({ prices }: ProductAnswer): number => Math.min(...prices.map(({ price }) => price));

/** What is cheapest or dearest of products in that order; where it is sold out, also the next one that is not. */
export function answerFromSorted(
  { prices }: Question,
  products: readonly ProductAnswer[],
  phrases: Phrases,
): string | undefined {
  const [first] = products;
  if (!prices?.sort || !first) return undefined;
  const alike = products.filter((product) => lowestPrice(product) === lowestPrice(first));
  const next = alike.every(({ soldOut }) => soldOut) ? products.find(({ soldOut }) => !soldOut) : undefined;
  const shown = next ? [...alike, next] : alike;
  return [phrases[prices.sort], ...productLines(shown, shown.length, phrases)].join('\n');
}
