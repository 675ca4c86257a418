/** Intents of a message. */
export type Intent =
  | 'greeting'
  | 'thanks'
  | 'farewell'
  | 'person'
  | 'self'
  | 'price'
  | 'availability'
  | 'categories'
  | 'hours'
  | 'address'
  | 'phone'
  | 'email'
  | 'booking'
  | 'complaint'
  | 'allergens'
  | 'list'
  | 'free';

/** The names of entry fields that an intent asks for. */
export type FactKind = 'hours' | 'address' | 'phone' | 'email';

/** The words of a language and the sentences of the replies in it. */
export interface Language {
  /** Words that say how something is asked, not what about; dialect words are among them. */
  readonly noise: string;
  /** Words that help to find something, and are not missed where it has another name. */
  readonly weak: string;
  /** Words that mean about the same, by the English word of the group, which joins the languages. */
  readonly synonyms: Readonly<Record<string, string>>;
  /** Words and phrases, with commas between them. */
  readonly intents: Readonly<Record<Intent, string>>;
  /** Names of fields with such facts, as parts of words. */
  readonly factNames: Readonly<Record<FactKind, string>>;
  readonly phrases: Phrases;
}

export interface Phrases {
  readonly greeting: string;
  readonly prompt: string;
  readonly thanks: string;
  readonly self: string;
  readonly farewell: string;
  readonly handOver: string;
  readonly handOverWanted: string;
  readonly sorry: string;
  readonly teamHelps: string;
  readonly orForm: (title: string) => string;
  readonly price: (name: string, prices: string) => string;
  readonly noPrice: (name: string) => string;
  readonly available: (name: string) => string;
  readonly soldOut: (name: string) => string;
  readonly soldOutMark: string;
  readonly allergens: (list: string) => string;
  readonly noAllergens: string;
  readonly dietary: (list: string) => string;
  readonly askAboutAllergies: string;
  readonly found: (total: number) => string;
  readonly inCategory: (category: string) => string;
  readonly categories: string;
  readonly cheapest: string;
  readonly dearest: string;
  readonly more: (count: number) => string;
  readonly form: (title: string, fields: string) => string;
  readonly comma: string;
  /** Labels such as TREE_NUTS whose spoken form differs from the written one. */
  readonly labels: Readonly<Record<string, string>>;
  readonly currencies: Readonly<Record<string, string>>;
}
