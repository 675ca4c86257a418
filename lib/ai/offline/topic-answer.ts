import { foldedWordsOf } from '../retrieval/folded-words.ts';
import { wideStemsOf } from '../retrieval/synonyms.ts';
import { stemOf, stemsOf } from '../retrieval/words.ts';
import type { FormAnswer, MenuHit } from '../tool-answers.ts';
import { bestAnswer } from './best-answer.ts';
import { answerFromEntries } from './entry-answer.ts';
import { answerFromForm } from './form-answer.ts';
import type { Intent } from './intent-words.ts';
import { stemsOfIntents } from './intents.ts';
import type { Lookups } from './lookups.ts';
import type { Phrases } from './phrases.ts';
import { productsFound } from './products-found.ts';
import { has, isAboutProducts, type Question, topicOf } from './question.ts';

const matchMin = 0.5;
const mostOfTitle = 0.6;

/** What forms and pages for a topic are called. */
const names: Readonly<Partial<Record<Intent, string>>> = {
  event: 'event catering wedding party banquet celebration group bulk',
  booking: 'booking reservation appointment',
  complaint: 'complaint feedback',
  job: 'job career',
};

const stemsOfTopic = (topic: Intent): ReadonlySet<string> => wideStemsOf(stemsOf(names[topic] ?? ''));

/** The words of a message that its topic is known by, with what topics of the kind are called. */
export function topicQuery(question: Question): string {
  const topic = topicOf(question);
  if (topic === undefined) return question.query;
  const stems = stemsOfTopic(topic);
  const said = foldedWordsOf(question.query).filter((word) => stems.has(stemOf(word)));
  return [...new Set([...said, topic])].join(' ');
}

/** A reply to who plans an event, wants to book or work here, or complains: what is published about it, and its form. */
export function answerToTopic(question: Question, lookups: Lookups, phrases: Phrases): string | undefined {
  const topic = topicOf(question);
  const form =
    topic === undefined ? orderForm(question, lookups) : (formFor(topic, lookups) ?? formCalled(question, lookups));
  if (topic === undefined) return form && answerFromForm(form, phrases);
  const product = isOfTopic(productsFound(question, lookups).results[0], topic)
    ? bestAnswer(question, lookups, phrases)
    : undefined;
  const told = topic === 'complaint' ? phrases.sorry : (product ?? published(question, lookups, phrases));
  const texts = [told, form && answerFromForm(form, phrases)].filter((text) => text !== undefined);
  return form || topic !== 'complaint' ? texts.join('\n') || undefined : undefined;
}

/** A wedding cake is a product, and no wedding. */
const isOfTopic = (product: MenuHit | undefined, topic: Intent): boolean =>
  product?.named === true && stemsOf(product.name).some((stem) => stemsOfTopic(topic).has(stem));

function published(question: Question, lookups: Lookups, phrases: Phrases): string | undefined {
  const exact = lookups.entries(question.query);
  if ((exact.results[0]?.match ?? 0) >= matchMin) return answerFromEntries(question, exact, phrases);
  const found = lookups.entries(topicQuery(question));
  return (found.results[0]?.match ?? 0) >= matchMin
    ? answerFromEntries({ ...question, query: topicQuery(question) }, found, phrases)
    : undefined;
}

/** The form whose title is about a topic. */
function formFor(topic: Intent, { forms }: Lookups): FormAnswer | undefined {
  const stems = stemsOfTopic(topic);
  return forms.find(({ title, slug }) => stemsOf(`${title} ${slug}`).some((stem) => stems.has(stem)));
}

/** The form whose title is asked for. */
function formCalled(question: Question, { forms }: Lookups): FormAnswer | undefined {
  const asked = new Set(stemsOf(question.query));
  return forms.find(({ named, title }) => {
    const stems = stemsOf(title);
    const shared = stems.filter((stem) => asked.has(stem)).length;
    return named || shared === stems.length || (shared > 1 && shared >= mostOfTitle * stems.length);
  });
}

/** The form to order something with, when its title names that, too. */
function orderForm(question: Question, { forms }: Lookups): FormAnswer | undefined {
  if (!has(question, ['order']) || isAboutProducts(question)) return undefined;
  const order = stemsOfIntents(['order']);
  const asked = wideStemsOf(stemsOf(question.query).filter((stem) => !order.has(stem)));
  return forms.find(({ title, slug }) => {
    const stems = stemsOf(`${title} ${slug}`);
    return stems.some((stem) => order.has(stem)) && stems.some((stem) => asked.has(stem));
  });
}

/** The form to reach the house with. */
export const contactForm = ({ forms }: Lookups): FormAnswer | undefined =>
  forms.find(({ slug, title }) => /contact|اتصل|تواصل/i.test(`${slug} ${title}`));
