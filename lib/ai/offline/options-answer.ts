import { wideStemsOf } from '../retrieval/synonyms.ts';
import { stemsOf } from '../retrieval/words.ts';
import type { OptionsAnswer, ProductAnswer, ProductDetails } from '../tool-answers.ts';
import { amountText, currencyText, type Phrases } from './phrases.ts';
import { type Question, subjectOf } from './question.ts';

type Choice = OptionsAnswer['choices'][number];

/** The words of a question that are not in the name of a product: what it is wanted with. */
const restOf = (question: Question, { name }: ProductAnswer): ReadonlySet<string> => {
  const called = new Set(stemsOf(name));
  return wideStemsOf(stemsOf(subjectOf(question)).filter((stem) => !called.has(stem)));
};

/** Whether more is said of a product than its name. */
export const isWantedWith = (question: Question, product: ProductAnswer): boolean =>
  question.intents.has('options') || restOf(question, product).size > 0;

/** What a product can be ordered with: the choices that are asked for, else, when any are, all of them. */
export function optionLines(question: Question, product: ProductDetails, phrases: Phrases): string[] {
  const rest = restOf(question, product);
  const sets = product.options ?? [];
  const meant = sets.flatMap((set) => chosenOf(set, rest));
  const shown = meant.length === 0 && question.intents.has('options') ? sets : meant;
  return shown.map(({ name, choices }) =>
    phrases.options(name, choices.map((choice) => choiceText(choice, product, phrases)).join(phrases.comma)),
  );
}

/** All of a set that is called by its name, else those with most words asked for. */
function chosenOf(set: OptionsAnswer, asked: ReadonlySet<string>): OptionsAnswer[] {
  const shared = (text: string): number => stemsOf(text).filter((stem) => asked.has(stem)).length;
  const counts = set.choices.map(({ name }) => shared(name));
  const most = Math.max(0, ...counts);
  if (shared(set.name) >= most && shared(set.name) > 0) return [set];
  return most === 0 ? [] : [{ ...set, choices: set.choices.filter((_, index) => counts[index] === most) }];
}

function choiceText({ name, price, soldOut }: Choice, { currency }: ProductAnswer, phrases: Phrases): string {
  const amount =
    price > 0 ? ` (+${[amountText(price), currencyText(currency, phrases)].filter(Boolean).join(' ')})` : '';
  return `${name}${amount}${soldOut ? phrases.soldOutMark : ''}`;
}
