import type { Turn } from '../engine.ts';
import { stemsOf } from '../retrieval/words.ts';
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
  topicOf,
  understand,
} from './question.ts';

/** More questions than these are not answered at once. */
const partsMax = 3;
/** Of a paragraph; what is looked up is shorter. */
const charactersMax = 4_000;
/** Of a message, the last. */
const paragraphsMax = 8;
/** Of a paragraph; nobody who wants an answer asks after more. */
const sentencesMax = 16;

const sentenceEnd = /([?؟])|[.!;؛\n](?=\s|$)/;
const nextQuestion =
  /,? (?:and|also|plus|&) (?=(?:how|what|whats|when|where|which|who|do|does|is|are|can|could|will)\b)| و(?=(?:كم|بكم|هل|متى|متي|أين|اين|وين|ما|ماذا|كيف|شنو|ايش|وش)\s)/i;
const paragraphEnd = /\n\s*\n/;

/** What a customer's last message asks; one that names nothing itself, such as "How much is it?", asks about what was asked before. */
export function questionsOf(turns: readonly Turn[]): readonly Question[] {
  const [message = '', ...before] = turns.flatMap((turn) => (turn.role === 'user' ? [turn.text] : [])).reverse();
  const paragraphs = paragraphsOf(message).reverse();
  const asked =
    paragraphs.find((parts) => parts.some((part) => !isBare(part) || isFollowUp(part))) ?? paragraphs[0] ?? [];
  if (!asked.some((part) => isBare(part) || goesOn(part))) return asked;
  const earlier = before.flatMap((text) =>
    paragraphsOf(text)
      .reverse()
      .flatMap((parts) => parts.toReversed()),
  );
  return asked.map((part) => completed(part, earlier));
}

const paragraphsOf = (text: string): (readonly Question[])[] =>
  text
    .split(paragraphEnd)
    .slice(-paragraphsMax)
    .map((paragraph) => partsOf(paragraph.slice(0, charactersMax)));

/** The questions in a paragraph, in their order; at least one. */
function partsOf(paragraph: string): readonly Question[] {
  const sentences = sentencesOf(paragraph).slice(0, sentencesMax);
  const parts: { question: Question; isKept: boolean }[] = [];
  for (const { text, isAsked } of sentences) {
    const question = understand(text);
    const last = parts.at(-1);
    if (last && isContinued(last.question, question)) {
      parts[parts.length - 1] = { question: merged(last.question, question), isKept: true };
    } else
      parts.push({ question, isKept: isTelling(question) || (isAsked && !isBare(question) && !isAside(question)) });
  }
  const kept = parts.flatMap(({ question, isKept }) => (isKept ? [question] : [])).slice(0, partsMax);
  return kept.length > 0 ? kept : [understand(paragraph)];
}

function sentencesOf(paragraph: string): { readonly text: string; readonly isAsked: boolean }[] {
  const pieces = paragraph.split(sentenceEnd);
  // A split by a group has the group's text, or undefined, between the pieces.
  return pieces.flatMap((piece, index) => {
    if (index % 2 === 1) return [];
    const isAsked = pieces[index + 1] !== undefined || index === pieces.length - 1;
    const spaced = piece.replaceAll(/\s+/g, ' ').trim();
    return spaced === '' ? [] : spaced.split(nextQuestion).map((text) => ({ text, isAsked }));
  });
}

const isTelling = (part: Question): boolean =>
  isAboutProducts(part) ||
  isAboutPlaces(part) ||
  topicOf(part) !== undefined ||
  part.isOfSoldOut ||
  has(part, ['person', 'categories', 'self']);

/** "Perfect" before a question asks for nothing. */
const isAside = (part: Question): boolean => isVague(part) && part.diet === undefined && part.prices === undefined;

/** "And how long does it take?" is about the one before, and so is all that is said about an event. */
function isContinued(last: Question, part: Question): boolean {
  if (topicOf(last) !== undefined) return !isAboutProducts(part) && !isAboutPlaces(part);
  return (isFollowUp(part) && !isAboutPlaces(last)) || (has(last, ['nutrition']) && !isTelling(part));
}

const merged = (last: Question, part: Question): Question => ({
  ...last,
  intents: last.intents.union(part.intents),
  query: `${last.query} ${part.query}`,
});

const ofProducts = ['price', 'availability', 'preparation', 'nutrition', 'pairing', 'options'] as const;

/** Whether something is asked of what was spoken of before, if of anything. */
const isFollowUp = (part: Question): boolean => isBare(part) && !part.isOfSoldOut && has(part, ofProducts);

/** Whether it names nothing by itself but goes on with what was spoken of: "how much is a large one?" */
const goesOn = (part: Question): boolean =>
  (isAside(part) || (part.isOfLabels && stemsOf(labelledOf(part)).length === 0)) &&
  (part.refersBack || part.isOfLabels || has(part, ofProducts)) &&
  !part.isOfSoldOut &&
  !isAboutPlaces(part) &&
  topicOf(part) === undefined &&
  !has(part, ['greeting', 'thanks', 'farewell', 'categories', 'person', 'self']);

/** "And the large one?" */
function joined(part: Question, earlier: readonly Question[]): Question {
  const before = earlier.find((one) => !isBare(one) && !isVague(one));
  return before ? { ...part, query: `${subjectOf(before)} ${part.query}` } : part;
}

function completed(part: Question, earlier: readonly Question[]): Question {
  if (!isBare(part)) return goesOn(part) ? joined(part, earlier) : part;
  if (isAboutPlaces(part)) {
    const place = earlier.find((before) => isAboutPlaces(before) && stemsOf(placeOf(before)).length > 0);
    return place ? { ...part, query: `${part.query} ${placeOf(place)}` } : part;
  }
  if (!isFollowUp(part)) return part;
  const before = earlier.find((one) => !isBare(one));
  return before ? { ...part, query: subjectOf(before), diet: before.diet } : part;
}
