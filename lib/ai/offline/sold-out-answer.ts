import type { Lookups } from './lookups.ts';
import { productLines } from './menu-answer.ts';
import type { Phrases } from './phrases.ts';

/** What is sold out of the whole menu, if there is one and it was looked at. */
export function answerFromSoldOut(lookups: Lookups, phrases: Phrases): string | undefined {
  if (lookups.categories.length === 0 || !lookups.wasAsked('search_menu', { soldOut: true })) return undefined;
  const { results, total } = lookups.products('');
  return total === 0 ? phrases.noneSoldOut : [phrases.allSoldOut, ...productLines(results, total, phrases)].join('\n');
}
