import { stemsOf } from '../retrieval/words.ts';
import { bestAnswer } from './best-answer.ts';
import { answerFromCategories, chosenCategory } from './category-answer.ts';
import { answerFromDatabase, databaseAsked, databaseMentioned } from './database-answer.ts';
import type { Lookups } from './lookups.ts';
import { isMenuGood } from './menu-answer.ts';
import { isWantedWith } from './options-answer.ts';
import type { Phrases } from './phrases.ts';
import { answerFromPlaces } from './place-answer.ts';
import { alikeIn, productsFound } from './products-found.ts';
import { has, isAboutPlaces, isAboutProducts, isBare, isVague, type Question, subjectOf, topicOf } from './question.ts';
import {
  categorySearch,
  databaseList,
  entrySearch,
  formSearch,
  menuSearch,
  menuSearches,
  placeSearches,
  soldOutSearch,
  topicSearches,
  type Wanted,
} from './searches.ts';
import { answerFromSoldOut } from './sold-out-answer.ts';
import { answerToTopic, contactForm } from './topic-answer.ts';

export interface Answer {
  readonly text: string;
  /** Whether it only says that a person will answer. */
  readonly isHandOver?: boolean;
  /** Whether it is small talk, which is made from nothing that was looked up. */
  readonly isInPassing?: boolean;
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
    lastLookups(situation) ??
    // "Thanks a lot" is no question that has no answer.
    (isVague(question) && (said !== undefined || isNoQuestion(question))
      ? { text: said ?? phrases.prompt, isInPassing: true }
      : handOver(situation))
  );
}

const isNoQuestion = ({ intents, isAsking }: Question): boolean => intents.size === 0 && !isAsking;

/** What is said to a message that asks nothing. */
function smallTalk(question: Question, phrases: Phrases): string | undefined {
  if (question.intents.has('self')) return phrases.self;
  if (has(question, ['person', 'categories']) || isAboutProducts(question) || isAboutPlaces(question)) return undefined;
  if (question.intents.has('thanks')) return phrases.thanks;
  if (question.intents.has('farewell')) return phrases.farewell;
  if (question.intents.has('greeting')) return `${phrases.greeting} ${phrases.prompt}`;
  return stemsOf(question.query).length === 0 && isBare(question) ? phrases.prompt : undefined;
}

function firstLookups(situation: Situation): Step | undefined {
  const { question, lookups } = situation;
  if (lookups.count > 0) return undefined;
  if (question.intents.has('person')) return lookUp(situation, [formSearch('')]);
  if (isAboutPlaces(question)) return lookUp(situation, placeSearches(question));
  if (question.isOfSoldOut) return lookUp(situation, [soldOutSearch, categorySearch('')]);
  if (isBare(question) && !isAboutProducts(question))
    return lookUp(situation, [categorySearch(subjectOf(question)), entrySearch(question.query)]);
  if (topicOf(question) !== undefined) return lookUp(situation, topicSearches(question));
  if (question.isToAvoid) return lookUp(situation, [entrySearch(question.query), formSearch(question.query)]);
  return lookUp(situation, [
    ...menuSearches(question),
    categorySearch(subjectOf(question)),
    entrySearch(question.query),
    formSearch(question.query),
  ]);
}

/** What the first answers lead to: the products of a category, or all that is known of a product. */
function moreLookups(situation: Situation): Step | undefined {
  const { question, lookups } = situation;
  if (question.isOfSoldOut || isAboutPlaces(question) || topicOf(question) !== undefined) return undefined;
  const category = chosenCategory(question, lookups);
  const modelId = category || isMenuAsked(situation) ? undefined : databaseAsked(question, lookups);
  if (modelId !== undefined && !lookups.database) return lookUp(situation, [databaseList(modelId)]);
  if (category && !lookups.wasAsked('search_menu', { category: category.id })) {
    return lookUp(situation, [menuSearch('', question, category.id)]);
  }
  if (lookups.wasAsked('get_product')) return undefined;
  const alike = isMenuGood(question, lookups) ? alikeIn(question, productsFound(question, lookups).results) : [];
  const wantsDetails = question.isOfLabels || has(question, ['nutrition', 'pairing', 'ingredients']);
  if (!wantsDetails && !alike.some((product) => isWantedWith(question, product))) return undefined;
  return lookUp(
    situation,
    alike.slice(0, detailsMax).map(({ id }) => ({ name: 'get_product', input: { id } })),
  );
}

/** Whether it is asked what there is on the menu. */
function isMenuAsked({ question, lookups }: Situation): boolean {
  if (lookups.categories.length === 0) return false;
  if (isBare(question)) return true;
  const isOfAll = question.intents.has('categories') && isVague(question) && !isAboutProducts(question);
  return isOfAll && topicOf(question) === undefined && chosenCategory(question, lookups) === undefined;
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

/** What is closest to what is not found anywhere. */
function lastLookups(situation: Situation): Step | undefined {
  const { question, lookups } = situation;
  if (has(question, ['person']) || topicOf(question) !== undefined || question.isToAvoid) return undefined;
  const modelId = lookups.database ? undefined : databaseMentioned(question, lookups);
  return modelId === undefined ? undefined : lookUp(situation, [databaseList(modelId)]);
}

function lookUp({ tools }: Situation, wanted: readonly Wanted[]): Step | undefined {
  const calls = wanted.filter(({ name }) => tools.has(name));
  return calls.length > 0 ? { calls } : undefined;
}

function answer(situation: Situation): Step | undefined {
  if (situation.question.intents.has('person')) return undefined;
  const text = answerText(situation);
  return text === undefined ? undefined : { text };
}

function answerText(situation: Situation): string | undefined {
  const { question, lookups, phrases } = situation;
  if (isAboutPlaces(question)) {
    const places = answerFromPlaces(question, lookups, phrases);
    const products = isAboutProducts(question) ? bestAnswer(question, lookups, phrases) : undefined;
    return [...new Set([products, places])].filter((text) => text !== undefined).join('\n') || undefined;
  }
  if (question.isOfSoldOut) return answerFromSoldOut(lookups, phrases);
  if (isMenuAsked(situation)) return answerFromCategories(lookups.categories, phrases);
  const listed = answerFromDatabase(question, lookups, phrases);
  if (listed !== undefined) return listed;
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
