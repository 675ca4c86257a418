import type { Endpoint } from '../endpoint.ts';
import { declarationFor } from '../endpoint-kinds.ts';
import { isParameterOf } from '../query.ts';
import type { ApiEvent } from '../request-state.ts';

const namesMax = 20;
/** Gateways limit the total size of headers. Names that do not fit are left out. */
const charactersMax = 2_000;

/**
 * Lists query parameters without effect for identified callers: only names, in the order sent (lib/spec/additions.md
 * section 1).
 */
export const nameIgnoredParameters = (endpoint: Endpoint) => ({
  before: ({ event: { state } }: { event: ApiEvent }) => {
    const { query, keyIn } = declarationFor(endpoint, state.params);
    const isIgnored = (name: string) => !isParameterOf(query, name) && !(name === 'apiKey' && keyIn.includes('query'));
    const ignored = [...new Set(state.queryString.keys())].filter((name) => name !== '' && isIgnored(name));
    const names = whatFits(ignored.slice(0, namesMax).map(encodeURIComponent));
    if (names) state.headers = { ...state.headers, 'x-ignored-parameters': names };
  },
});

const whatFits = (names: readonly string[]): string =>
  names.reduce((text, name) => {
    const longer = text === '' ? name : `${text}, ${name}`;
    return longer.length > charactersMax ? text : longer;
  }, '');
