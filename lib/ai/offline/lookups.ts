import type { ToolCall, Turn } from '../engine.ts';
import type { CategoryAnswer, EntryAnswer, FormAnswer, Found, MenuHit, ProductDetails } from '../tool-answers.ts';

/** The results of the look-ups for this message, by their names. */
export class Lookups {
  readonly #answers = new Map<string, unknown>();

  constructor(turns: readonly Turn[]) {
    const since = turns.slice(turns.findLastIndex(({ role }) => role === 'user') + 1);
    for (const turn of since) {
      if (turn.role !== 'tool') continue;
      for (const { id, output } of turn.results) this.#answers.set(id, JSON.parse(output));
    }
  }

  has = (id: string): boolean => this.#answers.has(id);

  get products(): Found<MenuHit> {
    return this.#found('products');
  }

  /** The products of a category or a price range. */
  get listing(): Found<MenuHit> {
    return this.#found('listing');
  }

  get categories(): readonly CategoryAnswer[] {
    return this.#found<CategoryAnswer>('categories').results;
  }

  get entries(): readonly EntryAnswer[] {
    return this.#found<EntryAnswer>('entries').results;
  }

  /** The entries with the wanted fact. */
  get facts(): readonly EntryAnswer[] {
    return this.#found<EntryAnswer>('facts').results;
  }

  /** All entries of a database. */
  get database(): readonly EntryAnswer[] {
    return this.#found<EntryAnswer>('database').results;
  }

  get forms(): readonly FormAnswer[] {
    return this.#found<FormAnswer>('forms').results;
  }

  get details(): ProductDetails | undefined {
    const answer = this.#answers.get('details') as ProductDetails | undefined;
    return answer && 'prices' in answer ? answer : undefined;
  }

  #found<Item>(id: string): Found<Item> {
    const { results = [], total = 0 } = (this.#answers.get(id) ?? {}) as Partial<Found<Item>>;
    return { results, total };
  }
}

/** Makes a look-up with a name for its purpose. */
export const lookup = (id: string, name: string, input: object): ToolCall => ({ id, name, input });
