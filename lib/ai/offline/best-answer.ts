import { stemsOf } from '../retrieval/words.ts';
import type { EntryAnswer, FormAnswer } from '../tool-answers.ts';
import { answerFromListing, chosenCategory } from './category-answer.ts';
import { answerFromEntries } from './entry-answer.ts';
import { answerFromForm } from './form-answer.ts';
import type { Lookups } from './lookups.ts';
import { answerFromMenu, isMenuGood } from './menu-answer.ts';
import type { Phrases } from './phrases.ts';
import { productsFound } from './products-found.ts';
import { has, isAboutProducts, isVague, type Question } from './question.ts';

const matchMin = 0.5;
/** What is asked of products is more likely to be one. */
const menuBonus = 0.05;
const productBonus = 0.25;
/** Who does something is no product. */
const peopleBonus = 0.5;

/** An answer from where most of the words of a question are found. */
export function bestAnswer(question: Question, lookups: Lookups, phrases: Phrases): string | undefined {
  const category = chosenCategory(question, lookups);
  const { results: entries } = lookups.entries(question.query);
  const [form] = lookups.forms;
  const isOfProduct = isAboutProducts(question);
  const bonus = isOfProduct ? productBonus : menuBonus;
  const namedBonus = isOfProduct ? 1 : 0.2;
  const [product] = productsFound(question, lookups).results;
  const isListed = category !== undefined && lookups.listing !== undefined;
  const menu =
    !isListed && isMenuGood(question, lookups) ? (product?.match ?? 0) + bonus + (product?.named ? namedBonus : 0) : 0;
  const listed = isListed ? category.match + bonus : 0;
  const candidates = [
    { match: listed, answer: () => listing(question, lookups, phrases) },
    { match: menu, answer: () => answerFromMenu(question, lookups, phrases) },
    {
      match: entryMatch(question, entries),
      answer: () => answerFromEntries(question.query, lookups.entries(question.query), phrases),
    },
    { match: formMatch(question, form), answer: () => form && answerFromForm(form, phrases) },
  ];
  const best = candidates.reduce((first, second) => (second.match > first.match ? second : first));
  return best.match > 0 ? best.answer() : undefined;
}

function listing(question: Question, lookups: Lookups, phrases: Phrases): string | undefined {
  const category = chosenCategory(question, lookups);
  return category && lookups.listing ? answerFromListing(question, category, lookups.listing, phrases) : undefined;
}

/** Of what is sold only a title tells; a text that mentions it sells nothing. */
function entryMatch(question: Question, [entry]: readonly EntryAnswer[]): number {
  if (!entry || entry.match < matchMin || isVague(question)) return 0;
  if (has(question, ['who'])) return entry.match + peopleBonus;
  if (!has(question, ['sale'])) return entry.match;
  const asked = new Set(stemsOf(question.query));
  return stemsOf(entry.title).some((stem) => asked.has(stem)) ? entry.match : 0;
}

/** A form is meant when its title is; what it asks for may be anything. */
function formMatch(question: Question, form: FormAnswer | undefined): number {
  if (!form) return 0;
  if (form.named) return Math.max(form.match, matchMin);
  if (form.match < matchMin) return 0;
  const asked = new Set(stemsOf(question.query));
  return stemsOf(`${form.title} ${form.slug}`).some((stem) => asked.has(stem)) ? form.match : 0;
}
