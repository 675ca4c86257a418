import { wideStemsOf } from '../retrieval/synonyms.ts';
import { stemsOf } from '../retrieval/words.ts';
import type { EntryAnswer, FormAnswer } from '../tool-answers.ts';
import { answerFromListing, chosenCategory, isClosest } from './category-answer.ts';
import { answerFromEntries, isQuestionAsked } from './entry-answer.ts';
import { answerFromForm } from './form-answer.ts';
import type { Lookups } from './lookups.ts';
import { answerFromMenu, foreignMatchMin, isMenuGood } from './menu-answer.ts';
import type { Phrases } from './phrases.ts';
import { productsFound } from './products-found.ts';
import { has, isAboutProducts, isVague, type Question } from './question.ts';
import { answerFromSorted } from './sorted-answer.ts';

const matchMin = 0.5;
/** Where there is nothing better than a category that fits in part, or somebody is asked for. */
const partialMatchMin = 0.4;
/** What is asked of products is more likely to be one. */
const menuBonus = 0.05;
const productBonus = 0.25;
/** What has a label that is asked for is no page about it. */
const dietBonus = 1;
/** A page may be the very question. */
const questionBonus = 0.3;
/** Who does something is no product. */
const peopleBonus = 0.5;

/** An answer from where most of the words of a question are found. */
export function bestAnswer(question: Question, lookups: Lookups, phrases: Phrases): string | undefined {
  const category = chosenCategory(question, lookups);
  const { results: entries } = lookups.entries(question.query);
  const [form] = lookups.forms;
  const isOfProduct = isAboutProducts(question);
  const bonus = isDietAsked(question) ? dietBonus : isOfProduct ? productBonus : menuBonus;
  const namedBonus = isOfProduct ? 1 : 0.2;
  const [product] = productsFound(question, lookups).results;
  const isListed = category !== undefined && lookups.listing !== undefined;
  const isMenuMeant = isMenuGood(question, lookups) && (product?.named || !has(question, ['who']));
  const menu = !isListed && isMenuMeant ? (product?.match ?? 0) + bonus + (product?.named ? namedBonus : 0) : 0;
  const listed = isListed ? category.match + bonus : 0;
  const candidates = [
    { match: listed, answer: () => listing(question, lookups, phrases) },
    { match: menu, answer: () => onMenu(question, lookups, phrases) },
    {
      match: entryMatch(question, entries, isListed && isClosest(category) && !isOfProduct),
      answer: () => answerFromEntries(question, lookups.entries(question.query), phrases),
    },
    { match: formMatch(question, form), answer: () => form && answerFromForm(form, phrases) },
  ];
  const best = candidates.reduce((first, second) => (second.match > first.match ? second : first));
  return best.match > 0 ? best.answer() : undefined;
}

const onMenu = (question: Question, lookups: Lookups, phrases: Phrases): string =>
  answerFromSorted(question, productsFound(question, lookups).results, phrases) ??
  answerFromMenu(question, lookups, phrases);

function listing(question: Question, lookups: Lookups, phrases: Phrases): string | undefined {
  const category = chosenCategory(question, lookups);
  return category && lookups.listing ? answerFromListing(question, category, lookups.listing, phrases) : undefined;
}

const isDietAsked = ({ diet, isOfLabels }: Question): boolean => diet !== undefined && !isOfLabels;

/** Of what is sold only a title tells; a text that mentions it sells nothing. */
function entryMatch(question: Question, [entry]: readonly EntryAnswer[], isElsePartial: boolean): number {
  const asked = wideStemsOf(stemsOf(question.query));
  const isCalled = entry !== undefined && stemsOf(entry.title).some((stem) => asked.has(stem));
  const partial = isElsePartial || isCalled || has(question, ['who']) ? partialMatchMin : matchMin;
  if (!entry || entry.match < (question.isForeign ? foreignMatchMin : partial) || isVague(question)) return 0;
  if (has(question, ['who'])) return entry.match + peopleBonus;
  if (!isCalled && has(question, ['sale'])) return 0;
  return isQuestionAsked(entry, asked) ? entry.match + questionBonus : entry.match;
}

/** A form is meant when its title is; what it asks for may be anything. */
function formMatch(question: Question, form: FormAnswer | undefined): number {
  if (!form) return 0;
  if (form.named) return Math.max(form.match, matchMin);
  if (form.match < matchMin) return 0;
  const asked = new Set(stemsOf(question.query));
  return stemsOf(`${form.title} ${form.slug}`).some((stem) => asked.has(stem)) ? form.match : 0;
}
