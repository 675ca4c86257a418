import { expect, it } from '@jest/globals';
import { ApiDocument } from '#test/support/api-document.ts';
import type { Answer } from '#test/support/call.ts';
import { fc } from '#test/support/fast-check.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';

/** Many changes of few records in one request. */
const numRuns = Math.ceil(Number(process.env['FUZZ_RUNS'] ?? 40) / 15);
/** In milliseconds, for a machine with other load. */
const patience = 600_000 + 20_000 * numRuns;

const methods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
interface Change {
  readonly method: (typeof methods)[number];
  readonly kind: string;
  readonly id: string;
  readonly ifMatch?: string;
  readonly record?: object;
}
interface Result {
  readonly status: number;
  readonly etag?: string;
  readonly error?: { readonly code: string };
}

const together = await openWorkspace('records');
const apart = await openWorkspace('records');
const api = await ApiDocument.read();
const operation = api.operations.find(({ path }) => path === '/api/v1/manage/changes');

const few = fc.constantFrom('a', 'b', 'c');
/** Records that the service accepts if the records that they name exist, by kind. */
const recordsOf: Readonly<Record<string, fc.Arbitrary<object>>> = {
  'menu-categories': few.map((name) => ({ slug: `RUN${name}`, name: { en: name } })),
  'menu-products': fc.tuple(few, few).map(([name, category]) => ({
    slug: `RUN${name}`,
    name: { en: name },
    categoryId: `RUN${category}`,
  })),
  'cms-models': fc.constantFrom('text', 'number', 'boolean').map((type) => ({
    name: { en: type },
    fields: [{ key: 'title', name: { en: 'Title' }, type }],
  })),
  'cms-entries': fc.constantFrom<unknown>('One', 1, true, undefined).map((title) => ({ values: { title } })),
  forms: few.map((name) => ({ slug: `RUN${name}`, title: { en: name } })),
  channels: few.map((name) => ({ type: 'website', identifier: `RUN${name}.example.com` })),
  customers: few.map((name) => ({ name, email: `${name}@example.com` })),
  agents: few.map((name) => ({ name })),
};

/** Uses few records, so that most changes depend on another change. */
const changesOf = (kinds: readonly string[]): fc.Arbitrary<Change[]> => {
  const change = fc
    .record({ kind: fc.constantFrom(...kinds), method: fc.constantFrom(...methods), id: few, model: few })
    .chain(({ kind, method, id, model }) =>
      fc
        .record({
          record: method === 'DELETE' ? fc.constant(undefined) : (recordsOf[kind] as fc.Arbitrary<object>),
          ifMatch:
            method === 'POST' ? fc.constant(undefined) : fc.constantFrom(undefined, undefined, undefined, '*', '"a"'),
        })
        .map(({ record, ifMatch }): Change => {
          const address = kind === 'cms-entries' ? `RUN${model}/RUN${id}` : `RUN${id}`;
          return { method, kind, id: address, ...(ifMatch && { ifMatch }), ...(record && { record }) };
        }),
    );
  return fc.array(change, { minLength: 1, maxLength: 100, size: 'max' });
};

/** Sends the same change in a separate request. */
async function sendAlone(
  { manage }: Workspace<'records'>,
  { method, kind, id, ifMatch, record }: Change,
): Promise<Answer> {
  if (method !== 'POST') {
    const options = { headers: { ...(ifMatch && { 'if-match': ifMatch }) } };
    return manage(`${method} ${kind}/${id}`, record, options);
  }
  const [own, modelId] = id.split('/').reverse();
  return manage(`POST ${kind}`, { ...record, id: own, ...(modelId && { modelId }) });
}

const codeOf = ({ status, error }: Result): string => `${status} ${error?.code ?? ''}`;

/** Each attempt has new names, because records of an earlier one may exist. */
let tries = 0;
const inItsOwnNames = (changes: readonly Change[]): Change[] =>
  JSON.parse(JSON.stringify(changes).replaceAll('RUN', `r${tries++}-`));

it.each([
  ['of the menu', ['menu-categories', 'menu-products']],
  ['of the menu, one kind', ['menu-products']],
  ['of databases and entries', ['cms-models', 'cms-entries']],
  ['of all kinds', Object.keys(recordsOf)],
])(
  'up to 100 changes %s that depend on each other have the results of separate calls in their order',
  async (_, kinds) => {
    const property = fc.asyncProperty(changesOf(kinds), async (given) => {
      const changes = inItsOwnNames(given);
      const answer = await together.manage('POST changes', { changes });
      expect(operation && api.problemsOf(operation, answer)).toEqual([]);
      expect(answer.status).toBe(200);
      const results: Result[] = answer.json.results;
      const alone: Result[] = [];
      for (const change of changes) {
        const { status, json } = await sendAlone(apart, change);
        alone.push({ status, ...(json?.code && { error: json }) });
      }
      expect(results.map(codeOf)).toEqual(alone.map(codeOf));
    });
    await fc.assert(property, { numRuns, timeout: 120_000 });
  },
  patience,
);
