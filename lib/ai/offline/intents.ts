import { foldText } from '#lib/domain/folded-text.ts';
import { foldedWordsOf, stemOf, stemsOf } from '../retrieval/words.ts';
import { dietOf } from './diets.ts';

export type Intent =
  | 'greeting'
  | 'thanks'
  | 'farewell'
  | 'person'
  | 'self'
  | 'price'
  | 'availability'
  | 'preparation'
  | 'nutrition'
  | 'categories'
  | 'hours'
  | 'address'
  | 'phone'
  | 'email';

export interface Question {
  readonly text: string;
  readonly intents: ReadonlySet<Intent>;
  /** A label of products such as VEGETARIAN that is asked for, and the text without the words for it. */
  readonly diet: string | undefined;
  readonly maxPrice: number | undefined;
  /** What is left to search for. */
  readonly query: string;
}

/** The words that an intent goes with, as people write them; a few of them are two words. */
const words: Readonly<Record<Intent, string>> = {
  greeting:
    'hello, hi, hey, salam, good morning, good evening, good afternoon, مرحبا, أهلا, هلا, السلام عليكم, صباح الخير, مساء الخير',
  thanks: 'thank, thanks, thx, شكرا, مشكور, تسلم, يعطيك العافية, جزاك الله',
  farewell: 'bye, goodbye, مع السلامة, في أمان الله',
  person:
    'human, real person, someone real, talk to a person, speak to someone, talk to someone, staff member, موظف, أكلم شخص, التحدث مع, أحد الموظفين, خدمة العملاء',
  self: 'are you a robot, are you a bot, are you a machine, are you real, are you human, are you a human, are you an ai, who are you, هل أنت روبوت, هل أنت إنسان, هل أنت بشر, هل أنت آلي, من أنت, مين انت',
  price: 'how much, price, prices, cost, costs, بكم, بكام, كم سعر, سعر, أسعار, السعر, ثمن, تكلفة, يكلف, تكلف',
  availability:
    'available, availability, sold out, in stock, still have, متوفر, متوفرة, موجود, موجودة, متاح, نفد, نفدت, يتوفر',
  preparation:
    'how long, prepare, preparation, minutes, waiting time, ready, كم دقيقة, وقت التحضير, مدة التحضير, تحضير, كم ياخذ, كم يستغرق, متى يجهز',
  nutrition:
    'calorie, calories, kcal, protein, carbs, carbohydrates, nutrition, nutritional, sodium, allergen, allergens, allergy, allergic, contain, contains, سعرات, سعرة, بروتين, كربوهيدرات, صوديوم, حساسية, يحتوي, تحتوي, القيم الغذائية',
  categories:
    'menu, categories, category, what do you serve, what do you sell, what do you have, what food, قائمة, القائمة, المنيو, منيو, أقسام, ماذا تقدمون, وش عندكم, ماذا لديكم, ايش عندكم, الأصناف',
  hours:
    'open, opening, opens, close, closing, closes, closed, hours, working hours, مفتوح, مفتوحين, تفتح, تفتحون, يفتح, تغلق, تغلقون, يغلق, تقفل, مغلق, ساعات, الدوام, دوام, أوقات العمل, مواعيد',
  address:
    'where are you, where is, where can i find, address, location, locations, located, directions, map, branches, أين, وين, عنوان, موقع, موقعكم, فروع, فروعكم',
  phone: 'phone, telephone, call you, phone number, contact number, هاتف, جوال, رقمكم, رقم الهاتف, اتصل, تلفون',
  email: 'email, e mail, mail address, بريد, ايميل, الإيميل',
};

/** What the fields for these facts are usually called, so that they are found whatever words were asked with. */
const factWords: Partial<Readonly<Record<Intent, string>>> = {
  hours: 'opening hours ساعات العمل',
  address: 'address العنوان',
  phone: 'phone الهاتف',
  email: 'email البريد الإلكتروني',
};

const patterns = Object.entries(words).map(
  ([intent, list]) => [intent as Intent, list.split(',').map((words) => foldedWordsOf(words).join(' '))] as const,
);

const maxPricePattern = /(?:under|below|less than|cheaper than|up to|at most|اقل من|تحت|حتي) (\d{1,6}(?:\.\d{1,3})?)/;

/** What a message asks, by its words; a machine's guess, the same for the same message. */
export function understand(text: string): Question {
  const spaced = ` ${foldedWordsOf(text).join(' ')} `;
  const intents = new Set(
    patterns.flatMap(([intent, list]) => (list.some((words) => isIn(spaced, words)) ? [intent] : [])),
  );
  const { diet, rest } = dietOf(text);
  const maxPrice = maxPricePattern.exec(foldText(text).replaceAll(/\s+/g, ' '))?.[1];
  const facts = [...intents].flatMap((intent) => factWords[intent] ?? []);
  const query = maxPrice === undefined ? rest : rest.replaceAll(/[\d٠-٩۰-۹.]+/g, ' ');
  return {
    text,
    intents,
    diet,
    maxPrice: maxPrice === undefined ? undefined : Number(maxPrice),
    query: [query, ...facts].join(' '),
  };
}

/** Whether a question names nothing that could be looked for. */
export const isBare = ({ query, diet, maxPrice }: Question): boolean =>
  diet === undefined && maxPrice === undefined && stemsOf(query).length === 0;

/** Whole words, an Arabic one also with its article or a conjunction. */
function isIn(spaced: string, words: string): boolean {
  return [` ${words} `, ` و${words} `, ` ال${words} `, ` وال${words} `].some((form) => spaced.includes(form));
}

/** Whether a word is among those that only tell what is asked about a thing, not which thing. */
const intentStems = new Set(
  (['preparation', 'nutrition', 'categories', 'person', 'self'] as const).flatMap((intent) =>
    foldedWordsOf(words[intent]).map(stemOf),
  ),
);

/** What a question is about, without the words that its intents are known by. */
export const subjectOf = ({ query }: Question): string =>
  foldedWordsOf(query)
    .filter((word) => !intentStems.has(stemOf(word)))
    .join(' ');

/** The words that fields for the facts asked for are called by. */
export const factStems = ({ intents }: Question): ReadonlySet<string> =>
  new Set([...intents].flatMap((intent) => stemsOf(factWords[intent] ?? '')));
