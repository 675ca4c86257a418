import { foldedWordsOf } from '../retrieval/folded-words.ts';
import { isForeign, stemOf, stemsOf, weakStemsOf } from '../retrieval/words.ts';
import { allergenIn, avoidsAllergen } from './allergens.ts';
import { dietOf } from './diets.ts';
import type { Intent } from './intent-words.ts';
import { intentsOf, stemsOfIntents } from './intents.ts';
import { type PriceWish, priceWishOf } from './price-wish.ts';
import { isAsking, refersBack } from './reference.ts';
import { asksForSoldOut } from './sold-out.ts';

export interface Question {
  readonly intents: ReadonlySet<Intent>;
  /** A label of products such as VEGETARIAN that is asked for. */
  readonly diet: string | undefined;
  readonly prices: PriceWish | undefined;
  /** Whether it is asked of something named if it has a label or an allergen. */
  readonly isOfLabels: boolean;
  /** Whether it is asked for what has not an allergen for which there is no label: no list could be trusted. */
  readonly isToAvoid: boolean;
  /** Whether it asks which of all products are sold out. */
  readonly isOfSoldOut: boolean;
  /** Whether it is in neither of the languages that are understood: then only names in it can be. */
  readonly isForeign: boolean;
  /** Whether it may be about what was spoken of before. */
  readonly refersBack: boolean;
  /** Whether it has a word that questions begin with. */
  readonly isAsking: boolean;
  /** What is left to search for without the words for diet and price. */
  readonly query: string;
}

export const placeIntents: readonly Intent[] = ['hours', 'address', 'phone', 'email'];
export const topicIntents: readonly Intent[] = ['complaint', 'job', 'event', 'booking'];
const productIntents: readonly Intent[] = [
  'price',
  'availability',
  'preparation',
  'nutrition',
  'pairing',
  'ingredients',
];

export const has = ({ intents }: Question, wanted: readonly Intent[]): boolean =>
  wanted.some((intent) => intents.has(intent));

export const isAboutPlaces = (question: Question): boolean => has(question, placeIntents);

export const isAboutProducts = (question: Question): boolean =>
  question.diet !== undefined || question.prices !== undefined || has(question, productIntents);

/** The topic of a question that a form may be for. */
export const topicOf = ({ intents }: Question): Intent | undefined =>
  // Who cancels a booking does not want to book.
  topicIntents.find((topic) => intents.has(topic) && !(topic === 'booking' && intents.has('change')));

const ofOneThing =
  /^(?:(?:and|so|hi|hello|also) )?(?:is|are|does|هل) (?!there |يوجد |توجد |هناك |في |عندك|لديك|you |any)/;

const without = (text: string, stems: ReadonlySet<string>): string =>
  foldedWordsOf(text)
    .filter((word) => !stems.has(stemOf(word)))
    .join(' ');

/** What a message asks, by its words. */
export function understand(text: string): Question {
  const intents = new Set(intentsOf(text));
  const { diet, rest } = dietOf(text);
  const allergen = allergenIn(text);
  if (allergen.asked) intents.add('nutrition');
  // Who complains of two hours of waiting does not ask when to come.
  if (intents.has('complaint') && !isAsking(text)) intents.delete('hours');
  const { prices, rest: unpriced } = priceWishOf(rest);
  // What is said of changes holds for all that is booked or ordered.
  const query = intents.has('change') ? without(unpriced, whatIsChanged) : unpriced;
  return {
    intents,
    diet,
    prices,
    isOfSoldOut: asksForSoldOut(text) && isVague({ query }),
    isToAvoid: diet === undefined && !allergen.asked && avoidsAllergen(text),
    isOfLabels: allergen.asked || (diet !== undefined && ofOneThing.test(foldedWordsOf(text).join(' '))),
    isForeign: isForeign(text),
    refersBack: refersBack(text),
    isAsking: isAsking(text),
    query,
  };
}

const whatIsChanged = stemsOfIntents(['booking', 'order']);
/** What is said in passing means nothing else in any of its words. */
const passing = stemsOfIntents(['greeting', 'thanks', 'farewell'], 4);
const howThingsAreAsked = new Set([
  ...passing,
  ...stemsOfIntents(['preparation'], 4),
  ...stemsOfIntents([
    'price',
    'nutrition',
    'pairing',
    'ingredients',
    'options',
    'categories',
    'person',
    'self',
    'sale',
    'availability',
  ]),
]);
const howPlacesAreAsked = new Set([
  ...stemsOfIntents(placeIntents, 4),
  ...foldedWordsOf(
    `sunday monday tuesday wednesday thursday friday saturday sundays mondays tuesdays wednesdays thursdays fridays
    saturdays weekend weekends store shop branch restaurant place late early working work number phone contact call reach count find located right now today tonight tomorrow morning noon afternoon evening midnight time exactly
    الأحد الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت عدد محل متجر مطعم فرع مكان اليوم الليلة بكرة بكره غدا وقت الصبح الظهر العصر المغرب بالضبط`,
  ).map(stemOf),
]);

/** What a question is about, without the words that only tell what is asked about it. */
export const subjectOf = ({ query }: Pick<Question, 'query'>): string => without(query, howThingsAreAsked);

/** What to look for on the menu; what is cheapest of all is not looked for by words. */
export const searchedOf = (question: Question): string =>
  question.prices?.sort && isVague(question) ? '' : subjectOf(question);

/** The thing whose allergens are asked for. */
export const labelledOf = (question: Question): string =>
  subjectOf({ ...question, query: allergenIn(question.query).rest });

const betweenThings = /[,،;]| and | & | plus | or | و (?=\p{L})| و(?=ال)/iu;
const thingsMax = 3;

/** The things that are asked for in one sentence, when they are several. */
export function thingsIn(question: Question): string[] {
  const things = question.query
    .split(betweenThings, 2 * thingsMax)
    .map((query) => subjectOf({ ...question, query }))
    .filter((thing) => stemsOf(thing).length > 0);
  return things.length > 1 && things.length <= thingsMax ? things : [];
}

/** Which place is meant, if a certain one. */
export const placeOf = ({ query }: Question): string => without(query, howPlacesAreAsked);

/** Whether a question names nothing that could be looked for. */
export const isBare = (question: Question): boolean => {
  const { diet, prices } = question;
  const subject = isAboutPlaces(question) ? placeOf(question) : subjectOf(question);
  return diet === undefined && prices === undefined && topicOf(question) === undefined && stemsOf(subject).length === 0;
};

/** Whether it names nothing but what is said along with anything. */
export const isVague = (question: Pick<Question, 'query'>): boolean => {
  const subject = subjectOf(question);
  const stems = stemsOf(subject);
  const weak = weakStemsOf(subject);
  return stems.every((stem) => weak.has(stem));
};
