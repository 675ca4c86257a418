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

/** The kinds of facts in entry fields. */
export type FactKind = 'hours' | 'address' | 'phone' | 'email';

/** The words of a language, and the sentences of its replies. */
export interface Language {
  /** Stop words, which belong to the form of a question and not to its topic. They include dialect words. */
  readonly noise: string;
  /** Words that help the search, but are not required in a record. */
  readonly weak: string;
  /** Words and phrases, separated by commas. */
  readonly intents: Readonly<Record<Intent, string>>;
  /** Parts of the names of fields with these facts. */
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
  readonly more: (count: number) => string;
  readonly form: (title: string, fields: string) => string;
  readonly comma: string;
  /** Labels whose spoken form differs from the written one, e.g. TREE_NUTS. */
  readonly labels: Readonly<Record<string, string>>;
  /** The name of a currency. @param code such as SAR */
  readonly currencyOf: (code: string) => string;
}
