import { stemsOf } from '../retrieval/words.ts';
import { bestAnswer } from './best-answer.ts';
import { answerFromCategories, chosenCategory } from './category-answer.ts';
import type { Lookups } from './lookups.ts';
import { isMenuGood } from './menu-answer.ts';
import type { Phrases } from './phrases.ts';
import { answerFromPlaces, placeQueries } from './place-answer.ts';
import { alikeIn, productsFound } from './products-found.ts';
import {
  has,
  isAboutPlaces,
  isAboutProducts,
  isBare,
  isVague,
  labelledOf,
  placeOf,
  type Question,
  subjectOf,
  thingsIn,
  topicOf,
} from './question.ts';
import { answerToTopic, contactForm, topicQuery } from './topic-answer.ts';

export interface Wanted {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly text: string;
  /** Whether it only says that a person will answer. */
  readonly isHandOver?: boolean;
}

/** What the engine does next about a question: look something up, or answer. */
export type Step = { readonly calls: readonly Wanted[] } | Answer;

export interface Situation {
  readonly question: Question;
  readonly lookups: Lookups;
  /** The names of the tools that may be used; none when it is time to answer. */
  readonly tools: ReadonlySet<string>;
  readonly phrases: Phrases;
}

const detailsMax = 3;

/** A small set of rules: look where the answer most likely is, then everywhere else, then hand over. */
export function nextStep(situation: Situation): Step {
  const { question, phrases } = situation;
  const said = smallTalk(question, phrases);
  if (said !== undefined && isBare(question)) return { text: said };
  return (
    firstLookups(situation) ??
    moreLookups(situation) ??
    answer(situation) ??
    otherLookups(situation) ??
    // "Thanks a lot" is no question that has no answer.
    (said !== undefined && isVague(question) ? { text: said } : handOver(situation))
  );
}

/** What is said to a message that asks nothing. */
function smallTalk(question: Question, phrases: Phrases): string | undefined {
  if (question.intents.has('self')) return phrases.self;
  if (has(question, ['person', 'categories']) || isAboutProducts(question) || isAboutPlaces(question)) return undefined;
  if (question.intents.has('thanks')) return phrases.thanks;
  if (question.intents.has('farewell')) return phrases.farewell;
  if (question.intents.has('greeting')) return `${phrases.greeting} ${phrases.prompt}`;
  return isBare(question) ? phrases.prompt : undefined;
}

function firstLookups(situation: Situation): Step | undefined {
  const { question, lookups } = situation;
  if (lookups.count > 0) return undefined;
  if (question.intents.has('person')) return lookUp(situation, [formSearch('')]);
  if (isAboutPlaces(question)) return lookUp(situation, placeSearches(question));
  if (isBare(question) && !isAboutProducts(question)) return lookUp(situation, [categorySearch(subjectOf(question))]);
  if (topicOf(question) !== undefined) return lookUp(situation, topicSearches(question));
  if (question.isToAvoid) return lookUp(situation, [entrySearch(question.query), formSearch(question.query)]);
  return lookUp(situation, [
    ...menuSearches(question),
    categorySearch(subjectOf(question)),
    entrySearch(question.query),
    formSearch(question.query),
  ]);
}

/** All that is named together, and, where it is several things, each of them. */
function menuSearches(question: Question): Wanted[] {
  const filter = question.isOfLabels ? {} : question;
  const subjects = [subjectOf(question), ...(question.isOfLabels ? [labelledOf(question)] : thingsIn(question))];
  return [...new Set(subjects)].map((subject) => menuSearch(subject, filter));
}

const placeSearches = (question: Question): Wanted[] => [
  ...placeQueries(question).map(entrySearch),
  ...(stemsOf(placeOf(question)).length > 0 ? [categorySearch(placeOf(question))] : []),
  ...(isAboutProducts(question) ? [menuSearch(subjectOf(question), question)] : []),
];

const topicSearches = (question: Question): Wanted[] => [
  ...[...new Set([question.query, topicQuery(question)])].map(entrySearch),
  formSearch(question.query),
  menuSearch(subjectOf(question), question),
];

/** What the first answers lead to: the products of a category, or all that is known of a product. */
function moreLookups(situation: Situation): Step | undefined {
  const { question, lookups } = situation;
  if (isAboutPlaces(question) || topicOf(question) !== undefined) return undefined;
  const category = chosenCategory(question, lookups);
  if (category && !lookups.wasAsked('search_menu', { category: category.id })) {
    return lookUp(situation, [menuSearch('', question, category.id)]);
  }
  const wantsDetails = question.isOfLabels || has(question, ['nutrition', 'pairing', 'ingredients']);
  if (!wantsDetails || lookups.wasAsked('get_product')) return undefined;
  const alike = isMenuGood(question, lookups) ? alikeIn(question, productsFound(question, lookups).results) : [];
  return lookUp(
    situation,
    alike.slice(0, detailsMax).map(({ id }) => ({ name: 'get_product', input: { id } })),
  );
}

/** Wherever it has not been looked yet, and for the form that goes with a hand-over. */
function otherLookups(situation: Situation): Step | undefined {
  const { question, lookups } = situation;
  const menu = question.isToAvoid ? [] : [menuSearch(subjectOf(question), question)];
  const searches = [...menu, entrySearch(question.query), formSearch(question.query)];
  return lookUp(
    situation,
    searches.filter(({ name }) => !lookups.wasAsked(name)),
  );
}

function lookUp({ tools }: Situation, wanted: readonly Wanted[]): Step | undefined {
  const calls = wanted.filter(({ name }) => tools.has(name));
  return calls.length > 0 ? { calls } : undefined;
}

const menuSearch = (query: string, { diet, maxPrice }: Partial<Question>, category?: string): Wanted => ({
  name: 'search_menu',
  input: { query, diet, maxPrice, category },
});
const categorySearch = (query: string): Wanted => ({ name: 'list_categories', input: { query } });
const entrySearch = (query: string): Wanted => ({ name: 'search_cms', input: { query } });
const formSearch = (query: string): Wanted => ({ name: 'get_form', input: { query } });

function answer({ question, lookups, phrases }: Situation): Step | undefined {
  if (question.intents.has('person')) return undefined;
  const text = answerText(question, lookups, phrases);
  return text === undefined ? undefined : { text };
}

function answerText(question: Question, lookups: Lookups, phrases: Phrases): string | undefined {
  if (isAboutPlaces(question)) {
    const places = answerFromPlaces(question, lookups, phrases);
    const products = isAboutProducts(question) ? bestAnswer(question, lookups, phrases) : undefined;
    return [...new Set([products, places])].filter((text) => text !== undefined).join('\n') || undefined;
  }
  if (isBare(question) && lookups.categories.length > 0) return answerFromCategories(lookups.categories, phrases);
  const toTopic = answerToTopic(question, lookups, phrases);
  const isOther = topicOf(question) === undefined || isAboutProducts(question);
  return toTopic ?? (isOther ? bestAnswer(question, lookups, phrases) : undefined);
}

function handOver({ question, lookups, phrases }: Situation): Answer {
  const contact = contactForm(lookups);
  const text = question.intents.has('complaint')
    ? `${phrases.sorry} ${phrases.teamHelps}`
    : has(question, ['person', 'event', 'booking'])
      ? phrases.handOverWanted
      : phrases.handOver;
  const warning = question.isToAvoid || question.intents.has('nutrition') ? ` ${phrases.askAboutAllergies}` : '';
  const orForm = contact ? phrases.orForm(contact.title) : '';
  return { text: `${text}${orForm}${warning}`, isHandOver: true };
}
