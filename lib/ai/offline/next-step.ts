import type { CategoryAnswer, EntryAnswer, FormAnswer } from '../tool-answers.ts';
import { answerFromCategories, answerFromListing } from './category-answer.ts';
import { answerFromEntries } from './entry-answer.ts';
import { answerFromForm } from './form-answer.ts';
import { type Intent, isBare, type Question, subjectOf } from './intents.ts';
import type { Lookups } from './lookups.ts';
import { answerFromMenu } from './menu-answer.ts';
import type { Phrases } from './phrases.ts';

/** What the engine does next: look something up, or answer. */
export type Step = { readonly calls: readonly Wanted[] } | { readonly text: string };

interface Wanted {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Situation {
  readonly question: Question;
  readonly lookups: Lookups;
  /** The names of the tools that may be used; none when it is time to answer. */
  readonly tools: ReadonlySet<string>;
  readonly phrases: Phrases;
}

const matchMin = 0.5;
/** For who has asked for a price or the like, which nothing but products have. */
const menuMatchMin = 0.3;
const detailsMax = 3;

const aboutProducts: readonly Intent[] = ['price', 'availability', 'preparation', 'nutrition'];
const aboutPlaces: readonly Intent[] = ['hours', 'address', 'phone', 'email'];
const contactWords = 'contact us اتصل بنا تواصل';

const has = ({ intents }: Question, wanted: readonly Intent[]): boolean => wanted.some((intent) => intents.has(intent));

export const isAboutPlaces = (question: Question): boolean => has(question, aboutPlaces);

const isAboutProducts = (question: Question): boolean =>
  question.diet !== undefined || question.maxPrice !== undefined || has(question, aboutProducts);

/** A small set of rules: look where the answer most likely is, then everywhere else, then hand over. */
export function nextStep(situation: Situation): Step {
  const { question, lookups, phrases } = situation;
  return (
    smallTalk(question, phrases) ??
    firstLookups(situation) ??
    moreLookups(situation) ??
    answer(situation) ??
    otherLookups(situation) ?? { text: handOver(lookups, question, phrases) }
  );
}

function smallTalk(question: Question, phrases: Phrases): Step | undefined {
  if (question.intents.has('self')) return { text: phrases.self };
  if (!isBare(question) || has(question, ['person', 'categories']) || isAboutProducts(question)) return undefined;
  if (question.intents.has('thanks')) return { text: phrases.thanks };
  if (question.intents.has('farewell')) return { text: phrases.farewell };
  return { text: question.intents.has('greeting') ? `${phrases.greeting} ${phrases.prompt}` : phrases.prompt };
}

function firstLookups(situation: Situation): Step | undefined {
  const { question, lookups } = situation;
  if (lookups.count > 0) return undefined;
  if (question.intents.has('person')) return lookUp(situation, ['get_form'], contactWords);
  if (isBare(question)) return lookUp(situation, ['list_categories']);
  if (isAboutPlaces(question) && isAboutProducts(question)) return lookUp(situation, ['search_menu', 'search_cms']);
  if (isAboutPlaces(question)) return lookUp(situation, ['search_cms', 'get_form']);
  if (isAboutProducts(question)) return lookUp(situation, ['search_menu', 'list_categories']);
  return lookUp(situation, ['search_menu', 'list_categories', 'search_cms', 'get_form']);
}

/** What the first answers lead to: the products of a category, or all that is known of a product. */
function moreLookups({ question, lookups, tools }: Situation): Step | undefined {
  const category = chosenCategory(question, lookups);
  if (category && !lookups.listing && tools.has('search_menu')) {
    return { calls: [{ name: 'search_menu', input: { query: '', category: category.id } }] };
  }
  if (!question.intents.has('nutrition') || lookups.wasAsked('get_product') || !tools.has('get_product'))
    return undefined;
  const [first, ...others] = isMenuGood(question, lookups) ? lookups.menu.results : [];
  const alike = first ? [first, ...others.filter(({ match }) => match === first.match)] : [];
  const ids = alike.slice(0, detailsMax).map(({ id }) => id);
  return ids.length > 0 ? { calls: ids.map((id) => ({ name: 'get_product', input: { id } })) } : undefined;
}

/** Wherever it has not been looked yet, and for the form that goes with a hand-over. */
function otherLookups(situation: Situation): Step | undefined {
  const { lookups } = situation;
  const left = ['search_menu', 'search_cms', 'get_form'].filter((name) => !lookups.wasAsked(name));
  return lookUp(situation, left);
}

function lookUp({ question, tools }: Situation, names: readonly string[], query?: string): Step | undefined {
  const subject = query ?? subjectOf(question);
  const inputs: Readonly<Record<string, object>> = {
    search_menu: { query: subject, diet: question.diet, maxPrice: question.maxPrice },
    list_categories: { query: subject },
    search_cms: { query: question.query },
    get_form: { query: query ?? question.query },
  };
  const calls = names.filter((name) => tools.has(name)).map((name) => ({ name, input: { ...inputs[name] } }));
  return calls.length > 0 ? { calls } : undefined;
}

function answer({ question, lookups, phrases }: Situation): Step | undefined {
  if (question.intents.has('person')) return undefined;
  const text = answerText(question, lookups, phrases);
  return text === undefined ? undefined : { text };
}

function answerText(question: Question, lookups: Lookups, phrases: Phrases): string | undefined {
  if (isBare(question) && lookups.categories.length > 0) return answerFromCategories(lookups.categories, phrases);
  const category = chosenCategory(question, lookups);
  if (category && lookups.listing) return answerFromListing(category, lookups.listing, phrases);
  const entry = lookups.entries.results[0];
  const form = lookups.forms[0];
  if (isAboutPlaces(question) && entry) {
    const places = answerFromEntries(question, lookups.entries, phrases);
    if (!isAboutProducts(question)) return places;
    // Two questions in one message have two answers.
    if (isMenuGood(question, lookups)) return `${answerFromMenu(question, lookups, phrases)}\n${places}`;
  }
  const best = bestOf(question, lookups, entry, form);
  if (best === 'menu') return answerFromMenu(question, lookups, phrases);
  if (best === 'form' && form) return answerFromForm(form, phrases);
  return best === 'entries' ? answerFromEntries(question, lookups.entries, phrases) : undefined;
}

function bestOf(question: Question, lookups: Lookups, entry: EntryAnswer | undefined, form: FormAnswer | undefined) {
  const isProduct = isAboutProducts(question);
  const candidates = [
    { kind: 'menu', match: isMenuGood(question, lookups) ? (lookups.menu.results[0]?.match ?? 0) + 0.05 : 0 },
    { kind: 'form', match: form && (form.named || form.match >= matchMin) ? form.match : 0 },
    { kind: 'entries', match: entry && entry.match >= matchMin ? entry.match : 0 },
  ] as const;
  if (isProduct && candidates[0].match > 0) return 'menu';
  const best = candidates.reduce((first, second) => (second.match > first.match ? second : first));
  return best.match > 0 ? best.kind : undefined;
}

function isMenuGood(question: Question, { menu }: Lookups): boolean {
  const [first] = menu.results;
  if (!first) return false;
  if (question.diet !== undefined || question.maxPrice !== undefined) return true;
  return first.named || first.match >= (isAboutProducts(question) ? menuMatchMin : matchMin);
}

/** The category that a question names, when it names nothing more exact. */
function chosenCategory(question: Question, lookups: Lookups): CategoryAnswer | undefined {
  const [category] = lookups.categories;
  const [product] = lookups.menu.results;
  if (!category?.named || question.diet !== undefined || question.maxPrice !== undefined) return undefined;
  const isProduct = product && (product.named || product.match > category.match) && isMenuGood(question, lookups);
  return isProduct ? undefined : category;
}

function handOver(lookups: Lookups, question: Question, phrases: Phrases): string {
  const contact = lookups.forms.find(({ slug, title }) => /contact|اتصل|تواصل/i.test(`${slug} ${title}`));
  const text = question.intents.has('person') ? phrases.handOverWanted : phrases.handOver;
  return contact ? `${text}${phrases.orForm(contact.title)}` : text;
}
