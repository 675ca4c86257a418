import { withoutLetterPrefix } from '../retrieval/arabic-stem.ts';
import { wideStemsOf } from '../retrieval/synonyms.ts';
import { stemsOf, weakStemsOf } from '../retrieval/words.ts';
import type { Found, MenuHit } from '../tool-answers.ts';
import type { Lookups } from './lookups.ts';
import { labelledOf, type Question, searchedOf, subjectOf, thingsIn } from './question.ts';

/** Found by so many of a question's words, nothing is left for another thing. */
const wholeMatchMin = 0.9;
const thingMatchMin = 0.65;

/** The products that a question is about. */
export function productsFound(question: Question, lookups: Lookups): Found<MenuHit> {
  const together = lookups.products(searchedOf(question));
  if (question.prices?.sort) return together;
  if (question.isOfLabels) {
    return together.results.some((product) => sharedWords(question, product) > 0)
      ? together
      : lookups.products(labelledOf(question));
  }
  if ((together.results[0]?.match ?? 0) >= wholeMatchMin) return together;
  const each = thingsIn(question).map((thing) => bestOf(lookups.products(thing).results));
  const products = [...new Map(each.flat().map((product) => [product.id, product])).values()];
  return each.filter(({ length }) => length > 0).length > 1 ? { results: products, total: products.length } : together;
}

/** What a thing is called, else what has it. */
function bestOf(products: readonly MenuHit[]): readonly MenuHit[] {
  const named = products.filter((product) => product.named);
  const [first] = products;
  if (named.length > 0 || !first || first.match < thingMatchMin) return named;
  return products.filter(({ match }) => match === first.match).map((product) => ({ ...product, named: true }));
}

/** Those that are as likely meant as the first one. */
export function alikeIn(question: Question, products: readonly MenuHit[]): readonly MenuHit[] {
  const named = products.filter((product) => product.named);
  if (named.length > 0) return named;
  const most = Math.max(0, ...products.map((product) => sharedWords(question, product)));
  const called = products.filter((product) => most > 0 && sharedWords(question, product) === most);
  return called.length > 0 ? called : products.filter(({ match }) => match === products[0]?.match);
}

/** How many words of a question are in the name of a product. */
function sharedWords(question: Question, { name }: MenuHit): number {
  const asked = wideStemsOf(stemsOf(subjectOf(question)));
  return new Set(stemsOf(name).filter((stem) => asked.has(stem))).size;
}

/** Whether all that a question names is in the name of one product or another. */
export function areAllCalled(question: Question, products: readonly MenuHit[]): boolean {
  const subject = subjectOf(question);
  const weak = weakStemsOf(subject);
  const named = new Set(products.flatMap(({ name }) => stemsOf(name)));
  return stemsOf(subject)
    .filter((stem) => !weak.has(stem))
    .every((stem) => [stem, withoutLetterPrefix(stem) ?? stem].some((one) => named.has(one)));
}
