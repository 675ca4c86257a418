import { foldedWordsOf } from '../retrieval/folded-words.ts';
import { wideStemsOf } from '../retrieval/synonyms.ts';
import { stemOf, stemsOf } from '../retrieval/words.ts';
import type { EntryFieldAnswer } from '../tool-answers.ts';
import type { Intent } from './intent-words.ts';

interface Fact {
  /** What fields for it are called, and pages about it. */
  readonly words: string;
  /** What else fields for it are called. */
  readonly labels?: string;
  /** What any value for it has in it. */
  readonly value: RegExp;
  /** What hardly any value but one for it looks like. */
  readonly shape?: RegExp;
}

const currencies = 'sar aed kwd qar bhd omr jod egp usd eur gbp';

/** What entries may tell of an intent: a field of theirs. */
const facts: Readonly<Partial<Record<Intent, Fact>>> = {
  hours: { words: 'open hours', value: /\d|[a-z]|[\u0621-\u064a]/i },
  address: {
    words: 'address',
    labels: 'street area district city whereabouts شارع منطقة حي مدينة',
    value: /^[^@]*\p{L}[^@]*$/u,
  },
  phone: {
    words: 'phone contact',
    labels: 'tel cell landline contact',
    value: /\d[^@]*\d[^@]*\d/,
    shape: /^\+?\d[\d ()/-]{5,24}$/,
  },
  email: { words: 'email contact', value: /@/, shape: /^[^\s@]{1,64}@[^\s@]{1,255}$/ },
  price: {
    words: 'price fee cost',
    labels: `prices fees costs rate charge amount ${currencies} سعر أسعار رسوم تكلفة ثمن قيمة ريال درهم دينار جنيه`,
    value: /\d|free|مجان/i,
  },
  preparation: {
    words: 'duration',
    labels: 'length time takes within arrives eta مدة وقت زمن خلال يصل',
    value: /\p{L}|\d/u,
  },
  when: {
    words: 'date',
    labels:
      'day time starts start begins ends until valid schedule timetable timing تاريخ جدول يوم وقت موعد مواعيد يبدأ تبدأ حتى',
    value: /\d/,
  },
  who: {
    words: 'team',
    labels:
      'coach host trainer teacher instructor chef barista stylist guide doctor manager founder owner author by مدرب مدربة مضيف معلم معلمة طاهي شيف طبيب مدير مؤسس صاحب',
    value: /\p{L}/u,
  },
};

/** The words that pages about a fact have. */
export const wordsOfFact = (intent: Intent): string => facts[intent]?.words ?? '';

/** The fields of an entry that tell what is asked for: by what they are called, else by what they look like. */
export function factFields(fields: readonly EntryFieldAnswer[], intents: readonly Intent[]): EntryFieldAnswer[] {
  const told = intents.flatMap((intent) => {
    const fact = facts[intent];
    if (!fact) return [];
    const called = fields.filter(
      ({ name, key, value }) => fact.value.test(value) && isCalled(`${name} ${inWords(key)}`, fact),
    );
    return called.length > 0 ? called : fields.filter(({ value }) => fact.shape?.test(value));
  });
  return [...new Set(told)];
}

function isCalled(label: string, { words, labels = '' }: Fact): boolean {
  const wanted = new Set([...wideStemsOf(stemsOf(words)), ...foldedWordsOf(`${words} ${labels}`).map(stemOf)]);
  return foldedWordsOf(label).some((word) => wanted.has(stemOf(word)));
}

const inWords = (key: string): string => key.replaceAll('_', ' ').replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2');
