import type { ToolCall } from '../engine.ts';
import type { Phrases } from '../languages/english.ts';
import type { CategoryAnswer, EntryAnswer, FormAnswer, MenuHit } from '../tool-answers.ts';
import { type Lookups, lookup } from './lookups.ts';
import type { Question } from './question.ts';
import { coverage, entryText, factOf, listText, productText, relevantFacts } from './record-text.ts';

/** A reply, or the tool calls that it needs first. */
export type Step =
  | { readonly calls: readonly ToolCall[] }
  | { readonly text: string; readonly isHandOver?: boolean; readonly isSmallTalk?: boolean };

/** The share of a question that must occur in a record. Below it, a person takes over. */
const matchMin = 0.6;
const formMatchMin = 0.4;
const categoryMatchMin = 0.4;
const placesMax = 6;

interface AnswerContext {
  readonly question: Question;
  readonly lookups: Lookups;
  /** The tools that the agent may use. All others find nothing. */
  readonly tools: ReadonlySet<string>;
  readonly phrases: Phrases;
}

/** Decides the next step of an answer: small talk, tool calls, or the best record. */
export function nextStep(context: AnswerContext): Step {
  const { handOver } = context.phrases;
  const found = smallTalk(context) ?? pending(context, firstCalls(context.question)) ?? answerOf(context);
  const step = found ?? { text: handOver, isHandOver: true };
  const isHandOver = 'text' in step && step.isHandOver === true;
  return (isHandOver ? pending(context, [lookup('hand over', 'hand_over', {})]) : undefined) ?? step;
}

/** The calls that are allowed and not made yet. */
function pending({ lookups, tools }: AnswerContext, calls: readonly ToolCall[]): Step | undefined {
  const open = calls.filter(({ id, name }) => tools.has(name) && !lookups.has(id));
  return open.length > 0 ? { calls: open } : undefined;
}

function smallTalk(context: AnswerContext): Step | undefined {
  const { question, phrases } = context;
  const { intents, content } = question;
  if (intents.has('person')) return { text: phrases.handOverWanted, isHandOver: true };
  if (intents.has('complaint')) return complaintAnswer(context);
  if (intents.has('self')) return { text: phrases.self, isSmallTalk: true };
  const hasOtherIntent = [...intents].some((intent) => !['greeting', 'thanks', 'list'].includes(intent));
  if (content.size > 0 || hasOtherIntent) return undefined;
  if (intents.has('thanks')) return { text: phrases.thanks, isSmallTalk: true };
  return intents.has('greeting') ? { text: phrases.greeting, isSmallTalk: true } : undefined;
}

function complaintAnswer(context: AnswerContext): Step {
  const { lookups, phrases } = context;
  const calls = pending(context, [lookup('forms', 'get_form', { query: complaintQuery })]);
  if (calls) return calls;
  const form = lookups.forms.find(({ match }) => match > 0);
  const hint = form ? phrases.orForm(form.title) : '';
  return { text: `${phrases.sorry}${hint}`, isHandOver: true };
}

const complaintQuery = 'complaint feedback contact';

/** The calls that search all data in one step. */
function firstCalls({ topic, text, fact }: Question): ToolCall[] {
  const calls = [
    lookup('products', 'search_menu', { query: topic }),
    lookup('categories', 'list_categories', { query: topic }),
    lookup('entries', 'search_cms', { query: text }),
    lookup('forms', 'get_form', { query: text }),
  ];
  if (fact) calls.push(lookup('facts', 'search_cms', { query: `${topic} ${factQueries[fact]}` }));
  return calls;
}

const factQueries = { hours: 'opening hours', address: 'address location', phone: 'phone', email: 'email' } as const;

function answerOf(context: AnswerContext): Step | undefined {
  const { question } = context;
  if (question.intents.has('allergens') && question.intents.has('free')) return allergenAnswer(context);
  const answer = factAnswer(context) ?? formAnswer(context);
  if (answer) return answer;
  // Products and categories have no times or places.
  return question.fact ? entryStep(context) : (categoryList(context) ?? bestRecord(context) ?? allCategories(context));
}

/** Answers about allergens contain only stored facts of the product or the business. */
function allergenAnswer(context: AnswerContext): Step | undefined {
  const { question, lookups, phrases } = context;
  const [product, other] = lookups.products.results;
  const isOnly = product && product.match >= matchMin && (product.named || product.match > (other?.match ?? 0));
  if (isOnly && question.content.size > 0) return allergensOf(context, product);
  const [entry] = lookups.entries.filter(({ match }) => match >= matchMin);
  if (entry) return { text: `${entryText(entry, phrases.comma)} ${phrases.askAboutAllergies}` };
  return { text: `${phrases.handOver} ${phrases.askAboutAllergies}`, isHandOver: true };
}

/** Opening hours, addresses, phones or e-mails of the named place, or of all places. */
function factAnswer({ question: { fact, content }, lookups }: AnswerContext): Step | undefined {
  if (!fact) return undefined;
  const entries = [...new Map([...lookups.facts, ...lookups.entries].map((entry) => [entry.id, entry])).values()];
  const facts = entries.flatMap((entry) => {
    const value = factOf(entry, fact);
    return value === undefined ? [] : [{ entry, text: `${entry.title}: ${value}` }];
  });
  const matching = content.size === 0 ? facts : facts.filter(({ entry }) => coverage(content, entry) >= matchMin);
  const text = matching.slice(0, placesMax).map((match) => match.text);
  return text.length > 0 ? { text: text.join('\n') } : undefined;
}

/** Offers a form that fits the customer's intent. */
function formAnswer({ question: { intents }, lookups, phrases }: AnswerContext): Step | undefined {
  const [form] = lookups.forms;
  if (!form || !(intents.has('booking') || intents.has('phone'))) return undefined;
  const [entry] = lookups.entries;
  const isBetter = (entry?.match ?? 0) >= matchMin && (entry?.match ?? 0) > form.match;
  return form.match >= formMatchMin && !isBetter ? { text: formText(form, phrases) } : undefined;
}

const formText = ({ title, fields }: FormAnswer, phrases: Phrases): string =>
  phrases.form(title, fields.map((field) => field.title || field.ref).join(phrases.comma));

/** The best product or, if none matches, the best entry. */
function bestRecord(context: AnswerContext): Step | undefined {
  const { question, lookups, phrases } = context;
  const [product] = lookups.products.results;
  const entry = bestEntry(context);
  const asksOfProduct = question.intents.has('price') || question.intents.has('availability');
  if (product && isMatch(product, question) && (asksOfProduct || product.match >= (entry?.match ?? 0))) {
    const equal = lookups.products.results.filter(({ match }) => match === product.match);
    if (product.named || equal.length === 1) {
      const wish = { stock: question.intents.has('availability'), allergens: false };
      return { text: productText(product, wish, phrases) };
    }
    return { text: listText(phrases.found(lookups.products.total), lookups.products, phrases) };
  }
  return entryStep(context);
}

function entryStep(context: AnswerContext): Step | undefined {
  const entry = bestEntry(context);
  if (!entry) return undefined;
  const { comma } = context.phrases;
  return databaseList(context, entry) ?? textStep(sameFacts(context, entry, comma) ?? entryText(entry, comma));
}

/** Lists a short fact of several equal entries, e.g. the parking at each branch. */
function sameFacts({ lookups }: AnswerContext, { modelId, match }: EntryAnswer, comma: string): string | undefined {
  const equal = lookups.entries.filter((other) => other.modelId === modelId && other.match === match);
  const lines = equal.map((other) => relevantFacts(other, comma));
  const isShort = equal.length > 1 && equal.length <= placesMax && lines.every((line) => line !== '');
  return isShort ? lines.join('\n') : undefined;
}

const textStep = (text: string): Step | undefined => (text === '' ? undefined : { text });

/** True if a product fits. If the question has its name and asks for a price, the other words matter less. */
const isMatch = ({ match, named }: MenuHit, { content, intents }: Question): boolean =>
  content.size > 0 && (match >= matchMin || (named && intents.has('price') && match >= matchMin / 2));

function bestEntry({ question, lookups }: AnswerContext): EntryAnswer | undefined {
  const [entry] = lookups.entries;
  return entry && question.content.size > 0 && entry.match >= matchMin ? entry : undefined;
}

/** A question with only the name of a database asks for its content. */
function databaseList(context: AnswerContext, entry: EntryAnswer): Step | undefined {
  const { question, lookups } = context;
  if (coverage(question.content, { ...entry, title: '', fields: [] }) < 1) return undefined;
  const calls = pending(context, [lookup('database', 'search_cms', { model: entry.modelId })]);
  if (calls) return calls;
  const titles = lookups.database.map(({ title }) => `- ${title}`);
  return { text: [`${entry.database}:`, ...titles].join('\n') };
}

function allergensOf(context: AnswerContext, { id }: MenuHit): Step | undefined {
  const { lookups, phrases } = context;
  const calls = pending(context, [lookup('details', 'get_product', { id })]);
  if (calls) return calls;
  return lookups.details && { text: productText(lookups.details, { stock: false, allergens: true }, phrases) };
}

/** The products of the named category, unless the question names a product better. */
function categoryList(context: AnswerContext): Step | undefined {
  const { question, lookups, phrases } = context;
  const [category] = lookups.categories;
  const [product] = lookups.products.results;
  const isProduct = product?.named === true || (product?.match ?? 0) > (category?.match ?? 0);
  if (!category || isProduct || !isNamed(category, question)) return undefined;
  const calls = pending(context, [lookup('listing', 'search_menu', { category: category.id })]);
  return calls ?? { text: listText(phrases.inCategory(category.name), lookups.listing, phrases) };
}

const isNamed = ({ named, match }: CategoryAnswer, { content, intents }: Question): boolean =>
  content.size > 0 && (match >= matchMin || (named && intents.has('list') && match >= categoryMatchMin));

function allCategories({
  question: { content, intents },
  lookups: { categories },
  phrases,
}: AnswerContext): Step | undefined {
  if (content.size > 0 || categories.length === 0 || !intents.has('categories')) return undefined;
  return { text: [phrases.categories, ...categories.map(({ name }) => `- ${name}`)].join('\n') };
}
