/** Results of the tools on a workspace, as JSON: what the offline engine reads of them. Models get more members. */
export interface Found<Item> {
  /** Best first. */
  readonly results: readonly Item[];
  /** Their total number. */
  readonly total: number;
}

interface Matched {
  /** The share of the query that matches, 0 to 1. */
  readonly match: number;
}

export interface PriceAnswer {
  readonly price: number;
  readonly name?: string | undefined;
}

export interface ProductAnswer {
  readonly id: string;
  readonly name: string;
  readonly intro?: string | undefined;
  readonly prices: readonly PriceAnswer[];
  readonly currency: string | null;
  readonly soldOut: boolean;
  readonly dietary?: readonly string[] | undefined;
}

export interface MenuHit extends ProductAnswer, Matched {
  /** True if the query contains all words of the name. */
  readonly named: boolean;
}

export interface ProductDetails extends ProductAnswer {
  readonly description?: string | undefined;
  readonly allergens?: readonly string[] | undefined;
}

export interface CategoryAnswer extends Matched {
  /** True if the query contains all words of the name. */
  readonly named: boolean;
  readonly id: string;
  readonly name: string;
}

export interface EntryAnswer extends Matched {
  readonly id: string;
  readonly modelId: string;
  /** The name of the database. */
  readonly database: string;
  readonly title: string;
  /** Best match first. */
  readonly fields: readonly EntryFieldAnswer[];
}

export interface EntryFieldAnswer {
  readonly key: string;
  readonly name: string;
  readonly value: string;
  /** True if the field or its name has words of the query. */
  readonly relevant: boolean;
}

export interface FormAnswer extends Matched {
  /** True if the query contains all words of the title. */
  readonly named: boolean;
  readonly id: string;
  readonly title: string;
  readonly fields: readonly { readonly ref: string; readonly title: string }[];
}
