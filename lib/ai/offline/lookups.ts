import type { ToolCall, Turn } from '../engine.ts';
import type { CategoryAnswer, EntryAnswer, FormAnswer, Found, MenuHit, ProductDetails } from '../tool-answers.ts';

/** The results of the look-ups for this message, by their names. */
export interface Lookups {
  readonly has: (id: string) => boolean;
  readonly products: Found<MenuHit>;
  /** The products of a category. */
  readonly listing: Found<MenuHit>;
  readonly categories: readonly CategoryAnswer[];
  readonly entries: readonly EntryAnswer[];
  /** The entries with the wanted fact. */
  readonly facts: readonly EntryAnswer[];
  /** All entries of a database. */
  readonly database: readonly EntryAnswer[];
  readonly forms: readonly FormAnswer[];
  readonly details: ProductDetails | undefined;
}

export function lookupsIn(turns: readonly Turn[]): Lookups {
  const since = turns.slice(turns.findLastIndex(({ role }) => role === 'user') + 1);
  const results = since.flatMap((turn) => (turn.role === 'tool' ? turn.results : []));
  const answers = new Map(results.map(({ id, output }) => [id, JSON.parse(output)]));
  const found = (id: string) => ({ results: [], total: 0, ...answers.get(id) });
  const { prices, ...details } = answers.get('details') ?? {};
  return {
    has: (id) => answers.has(id),
    products: found('products'),
    listing: found('listing'),
    categories: found('categories').results,
    entries: found('entries').results,
    facts: found('facts').results,
    database: found('database').results,
    forms: found('forms').results,
    details: prices && { ...details, prices },
  };
}

/** Makes a look-up with a name for its purpose. */
export const lookup = (id: string, name: string, input: object): ToolCall => ({ id, name, input });
