import type { ToolCall, Turn } from '../engine.ts';
import type { CategoryAnswer, EntryAnswer, FormAnswer, Found, MenuHit, ProductDetails } from '../tool-answers.ts';

interface Lookup {
  readonly call: ToolCall;
  readonly answer: unknown;
}

type Input = Readonly<Record<string, unknown>>;

/** What has been looked up for a question of the message that is being answered. */
export class Lookups {
  readonly #lookups: readonly Lookup[];

  /** @param prefix of the ids of the calls for the question */
  constructor(turns: readonly Turn[], prefix: string) {
    const since = turns.slice(turns.findLastIndex(({ role }) => role === 'user') + 1);
    const calls = new Map(
      since.flatMap((turn) => (turn.role === 'assistant' ? (turn.toolCalls ?? []) : [])).map((call) => [call.id, call]),
    );
    const results = since.flatMap((turn) => (turn.role === 'tool' ? turn.results : []));
    this.#lookups = results.flatMap(({ id, output }) => {
      const call = calls.get(id);
      return call && id.startsWith(prefix) ? [{ call, answer: JSON.parse(output) as unknown }] : [];
    });
  }

  get count(): number {
    return this.#lookups.length;
  }

  wasAsked = (name: string, input: Input = {}): boolean =>
    this.#lookups.some(({ call }) => call.name === name && isLike(call.input as Input, input));

  /** The products that a query was found in, in any category. */
  products(query: string): Found<MenuHit> {
    return this.#found('search_menu', (input) => input['category'] === undefined && input['query'] === query);
  }

  /** The products of a category. */
  get listing(): Found<MenuHit> | undefined {
    const listing = this.#found<MenuHit>('search_menu', (input) => input['category'] !== undefined);
    return listing.results.length > 0 ? listing : undefined;
  }

  get categories(): readonly CategoryAnswer[] {
    return this.#found<CategoryAnswer>('list_categories').results;
  }

  /** What was found by a query. */
  entries(query: string): Found<EntryAnswer> {
    return this.#found('search_cms', (input) => input['query'] === query && input['model'] === undefined);
  }

  /** The entries of a database. */
  get database(): Found<EntryAnswer> | undefined {
    const database = this.#found<EntryAnswer>('search_cms', (input) => input['model'] !== undefined);
    return database.results.length > 0 ? database : undefined;
  }

  get forms(): readonly FormAnswer[] {
    return this.#found<FormAnswer>('get_form').results;
  }

  get details(): readonly ProductDetails[] {
    const answers = this.#lookups.filter(({ call }) => call.name === 'get_product').map(({ answer }) => answer);
    return answers.filter((answer): answer is ProductDetails => Object.hasOwn(answer as object, 'prices'));
  }

  #found<Item>(name: string, fits: (input: Input) => boolean = () => true): Found<Item> {
    const lookup = this.#lookups.find(({ call }) => call.name === name && fits(call.input as Input));
    const { results = [], total = 0 } = (lookup?.answer ?? {}) as Partial<Found<Item>>;
    return { results, total };
  }
}

const isLike = (input: Input, wanted: Input): boolean =>
  Object.entries(wanted).every(([key, value]) => input[key] === value);
