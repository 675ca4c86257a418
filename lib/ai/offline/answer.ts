import type { ToolCall } from '../engine.ts';
import type { Phrases } from '../languages/language.ts';
import type { CategoryAnswer, EntryAnswer, FormAnswer, MenuHit } from '../tool-answers.ts';
import { coverage, entryText, factOf, relevantFacts } from './entry-text.ts';
import { type Lookups, lookup } from './lookups.ts';
import { listText, productText } from './menu-text.ts';
import type { Question } from './question.ts';

/** A reply, or the look-ups that it needs first. */
export type Step =
  | { readonly calls: readonly ToolCall[] }
  | { readonly text: string; readonly isHandOver?: boolean; readonly isSmallTalk?: boolean };

/** The share of a question that must occur in a record. Below it, a person takes over. */
const matchMin = 0.6;
const formMatchMin = 0.4;
const categoryMatchMin = 0.4;
const placesMax = 6;

interface Case {
  readonly question: Question;
  readonly lookups: Lookups;
  /** The look-ups that the agent may make. All others find nothing. */
  readonly tools: ReadonlySet<string>;
  readonly phrases: Phrases;
}

/** The next step to answer a message: small talk, look-ups, or the record that fits best. */
export function nextStep(given: Case): Step {
  const step = smallTalk(given) ?? pending(given, firstCalls(given.question)) ?? answerOf(given) ?? handOver(given);
  const isHandOver = 'text' in step && step.isHandOver === true;
  return (isHandOver ? pending(given, [lookup('hand over', 'hand_over', {})]) : undefined) ?? step;
}

/** The calls of some that are allowed and not made yet. */
function pending({ lookups, tools }: Case, calls: readonly ToolCall[]): Step | undefined {
  const left = calls.filter(({ id, name }) => tools.has(name) && !lookups.has(id));
  return left.length > 0 ? { calls: left } : undefined;
}

function smallTalk(given: Case): Step | undefined {
  const { question, phrases } = given;
  const { intents, content, prices } = question;
  if (intents.has('person')) return { text: phrases.handOverWanted, isHandOver: true };
  if (intents.has('complaint')) return complaintAnswer(given);
  if (intents.has('self')) return { text: phrases.self, isSmallTalk: true };
  const asks = [...intents].some((intent) => !['greeting', 'thanks', 'farewell', 'list'].includes(intent));
  if (content.size > 0 || prices || asks) return undefined;
  if (intents.has('thanks')) return { text: phrases.thanks, isSmallTalk: true };
  if (intents.has('farewell')) return { text: phrases.farewell, isSmallTalk: true };
  return intents.has('greeting') ? { text: `${phrases.greeting} ${phrases.prompt}`, isSmallTalk: true } : undefined;
}

function complaintAnswer(given: Case): Step {
  const { lookups, phrases } = given;
  const calls = pending(given, [lookup('forms', 'get_form', { query: complaintQuery })]);
  if (calls) return calls;
  const form = lookups.forms.find(({ match }) => match > 0);
  const hint = form ? phrases.orForm(form.title) : '';
  return { text: `${phrases.sorry} ${phrases.teamHelps}${hint}`, isHandOver: true };
}

const complaintQuery = 'complaint feedback contact';

/** Everything that may hold the answer, at once. */
function firstCalls({ topic, text, fact, prices }: Question): ToolCall[] {
  const calls = [
    lookup('products', 'search_menu', { query: topic }),
    lookup('categories', 'list_categories', { query: topic }),
    lookup('entries', 'search_cms', { query: text }),
    lookup('forms', 'get_form', { query: text }),
  ];
  if (fact) calls.push(lookup('facts', 'search_cms', { query: `${topic} ${factQueries[fact]}` }));
  return prices ? calls.slice(0, 2) : calls;
}

const factQueries = { hours: 'opening hours', address: 'address location', phone: 'phone', email: 'email' } as const;

function answerOf(given: Case): Step | undefined {
  const { question } = given;
  if (question.prices) return priceList(given);
  if (question.intents.has('allergens') && question.intents.has('free')) return allergenAnswer(given);
  const asked = factAnswer(given) ?? formAnswer(given);
  if (asked) return asked;
  // Products and categories have no times or places.
  return question.fact ? entryStep(given) : (categoryList(given) ?? bestRecord(given) ?? allCategories(given));
}

/** Products by price, in the named category. Products must match the rest of the question, too. */
function priceList(given: Case): Step | undefined {
  const { question, lookups, phrases } = given;
  const { prices = {}, content } = question;
  const [category] = lookups.categories;
  const named = category?.named ? category : undefined;
  if (content.size > 0 && !named && !(lookups.products.results[0] && lookups.products.results[0].match >= matchMin)) {
    return undefined;
  }
  const query = named || content.size === 0 ? {} : { query: question.topic };
  const input = { ...prices, ...query, ...(named && { category: named.id }) };
  const calls = pending(given, [lookup('listing', 'search_menu', input)]);
  if (calls) return calls;
  const { listing } = lookups;
  if (listing.results.length === 0) return undefined;
  const heading =
    prices.sort === undefined
      ? phrases.found(listing.total)
      : phrases[prices.sort === 'cheapest' ? 'cheapest' : 'dearest'];
  const shown = prices.sort === undefined ? listing : { results: listing.results.slice(0, 1), total: 1 };
  return { text: listText(heading, shown, phrases) };
}

/** Answers about allergens contain only stored facts of the product or the business. */
function allergenAnswer(given: Case): Step | undefined {
  const { question, lookups, phrases } = given;
  const [product, other] = lookups.products.results;
  const isOnly = product && product.match >= matchMin && (product.named || product.match > (other?.match ?? 0));
  if (isOnly && question.content.size > 0) return allergensOf(given, product);
  const [entry] = lookups.entries.filter(({ match }) => match >= matchMin);
  if (entry) return { text: `${entryText(entry, phrases.comma)} ${phrases.askAboutAllergies}` };
  return { text: `${phrases.handOver} ${phrases.askAboutAllergies}`, isHandOver: true };
}

/** Opening hours, address, phone or e-mail of the place that is named; without a name, of all places. */
function factAnswer({ question: { fact, content }, lookups }: Case): Step | undefined {
  if (!fact) return undefined;
  const places = [...new Map([...lookups.facts, ...lookups.entries].map((place) => [place.id, place])).values()];
  const known = places.flatMap((entry) => {
    const value = factOf(entry, fact);
    return value === undefined ? [] : [{ entry, text: `${entry.title}: ${value}` }];
  });
  const meant = content.size === 0 ? known : known.filter(({ entry }) => coverage(content, entry) >= matchMin);
  const text = meant.slice(0, placesMax).map((place) => place.text);
  return text.length > 0 ? { text: text.join('\n') } : undefined;
}

/** Links a form to a customer who wants to do what the form is for. */
function formAnswer({ question: { intents }, lookups, phrases }: Case): Step | undefined {
  const [form] = lookups.forms;
  if (!form || !(intents.has('booking') || intents.has('phone'))) return undefined;
  const [entry] = lookups.entries;
  const isBetter = (entry?.match ?? 0) >= matchMin && (entry?.match ?? 0) > form.match;
  return form.match >= formMatchMin && !isBetter ? { text: formText(form, phrases) } : undefined;
}

const formText = ({ title, fields }: FormAnswer, phrases: Phrases): string =>
  phrases.form(title, fields.map((field) => field.title || field.ref).join(phrases.comma));

/** The product, or else the entry, that matches best. */
function bestRecord(given: Case): Step | undefined {
  const { question, lookups, phrases } = given;
  const [product] = lookups.products.results;
  const entry = bestEntry(given);
  const asksOfProduct = question.intents.has('price') || question.intents.has('availability');
  if (product && isMeant(product, question) && (asksOfProduct || product.match >= (entry?.match ?? 0))) {
    const equal = lookups.products.results.filter(({ match }) => match === product.match);
    if (product.named || equal.length === 1) {
      const wish = { stock: question.intents.has('availability'), allergens: false };
      return { text: productText(product, wish, phrases) };
    }
    return { text: listText(phrases.found(lookups.products.total), lookups.products, phrases) };
  }
  return entryStep(given);
}

function entryStep(given: Case): Step | undefined {
  const entry = bestEntry(given);
  if (!entry) return undefined;
  const { comma } = given.phrases;
  return databaseList(given, entry) ?? said(sameFacts(given, entry, comma) ?? entryText(entry, comma));
}

/** A short fact that several entries have, such as whether there is parking, is told of each. */
function sameFacts({ lookups }: Case, { modelId, match }: EntryAnswer, comma: string): string | undefined {
  const equal = lookups.entries.filter((other) => other.modelId === modelId && other.match === match);
  const lines = equal.map((other) => relevantFacts(other, comma));
  const isShort = equal.length > 1 && equal.length <= placesMax && lines.every((line) => line !== '');
  return isShort ? lines.join('\n') : undefined;
}

const said = (text: string): Step | undefined => (text === '' ? undefined : { text });

/** If the question has a product's name and asks for its price, its other words hardly matter. */
const isMeant = ({ match, named }: MenuHit, { content, intents }: Question): boolean =>
  content.size > 0 && (match >= matchMin || (named && intents.has('price') && match >= matchMin / 2));

function bestEntry({ question, lookups }: Case): EntryAnswer | undefined {
  const [entry] = lookups.entries;
  return entry && question.content.size > 0 && entry.match >= matchMin ? entry : undefined;
}

/** A question with only the name of a database asks for its content. */
function databaseList(given: Case, entry: EntryAnswer): Step | undefined {
  const { question, lookups } = given;
  if (coverage(question.content, { ...entry, title: '', fields: [] }) < 1) return undefined;
  const calls = pending(given, [lookup('database', 'search_cms', { model: entry.modelId })]);
  if (calls) return calls;
  const titles = lookups.database.map(({ title }) => `- ${title}`);
  return { text: [`${entry.database}:`, ...titles].join('\n') };
}

function allergensOf(given: Case, { id }: MenuHit): Step | undefined {
  const { lookups, phrases } = given;
  const calls = pending(given, [lookup('details', 'get_product', { id })]);
  if (calls) return calls;
  return lookups.details && { text: productText(lookups.details, { stock: false, allergens: true }, phrases) };
}

/** The products of the category that is named, for a question that names no product better. */
function categoryList(given: Case): Step | undefined {
  const { question, lookups, phrases } = given;
  const [category] = lookups.categories;
  const [product] = lookups.products.results;
  const isProduct = product?.named === true || (product?.match ?? 0) > (category?.match ?? 0);
  if (!category || isProduct || !isNamed(category, question)) return undefined;
  const calls = pending(given, [lookup('listing', 'search_menu', { category: category.id })]);
  return calls ?? { text: listText(phrases.inCategory(category.name), lookups.listing, phrases) };
}

const isNamed = ({ named, match }: CategoryAnswer, { content, intents }: Question): boolean =>
  content.size > 0 && (match >= matchMin || (named && intents.has('list') && match >= categoryMatchMin));

function allCategories({ question: { content, intents }, lookups: { categories }, phrases }: Case): Step | undefined {
  if (content.size > 0 || categories.length === 0 || !intents.has('categories')) return undefined;
  return { text: [phrases.categories, ...categories.map(({ name }) => `- ${name}`)].join('\n') };
}

function handOver({ lookups, question, phrases }: Case): Step {
  const form = lookups.forms.find(({ match }) => match >= formMatchMin);
  const hint = form && question.intents.has('booking') ? phrases.orForm(form.title) : '';
  return { text: `${phrases.handOver}${hint}`, isHandOver: true };
}
