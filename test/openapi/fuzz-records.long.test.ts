import { expect, it } from '@jest/globals';
import { ApiDocument } from '#test/support/api-document.ts';
import { call } from '#test/support/call.ts';
import { demoKeys, openDemo } from '#test/support/demo-workspace.ts';
import { fc } from '#test/support/fast-check.ts';
import { formBody } from '#test/support/multipart.ts';
import { hostileImage, mutated, subsetOf } from './hostile-records.ts';

/**
 * Records with only a few invalid parts, so that they pass the first checks. `fuzz.long.test.ts` sends entirely invalid
 * ones.
 */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 40);
/** In milliseconds, for a machine with other load. */
const patience = 600_000 + 400 * numRuns;
const settings = { numRuns, timeout: 60_000 };
const key = demoKeys.admin;
const manage = '/api/v1/manage';

const { cms, menu, forms, messaging } = await openDemo();
const api = await ApiDocument.read();

type Stored = Readonly<Record<string, unknown>> & { readonly id: string };
const recordsOf: Readonly<Record<string, readonly Stored[]>> = {
  'cms-models': cms.models,
  'cms-entries': cms.entries,
  'menu-categories': menu.categories,
  'menu-products': menu.products,
  forms,
  agents: messaging.agents,
  channels: messaging.channels,
  customers: messaging.customers,
};
const kinds = Object.keys(recordsOf);
const addressOf = (kind: string, { modelId, id }: Stored): string => (kind === 'cms-entries' ? `${modelId}/${id}` : id);

/** Few ids, so that requests meet the records of others. */
const newIds = ['new-1', 'new-2', 'new-3'];
const isMade = { POST: true, PUT: true, PATCH: false, DELETE: false } as const;
type Method = keyof typeof isMade;
const methods = Object.keys(isMade) as Method[];

/** A record under its id or a new one, with a new name or one that is taken. */
const given = (kind: string): fc.Arbitrary<{ readonly stored: Stored; readonly record: object }> =>
  fc
    .record({
      stored: fc.constantFrom(...(recordsOf[kind] ?? [])),
      id: fc.constantFrom(undefined, ...newIds),
      name: fc.option(fc.constantFrom('free-1', 'free-2'), { nil: undefined }),
    })
    .chain(({ stored, id, name }) => {
      const own = { ...stored, ...(id !== undefined && { id }) };
      const named = name !== undefined && 'slug' in own ? { ...own, slug: name } : own;
      return mutated(named).map((record) => ({ stored: own, record }));
    });

const change = (kind: string, method: Method) =>
  given(kind).chain(({ stored, record }) =>
    (method === 'PATCH' ? fc.oneof(subsetOf(stored), fc.constant(record)) : fc.constant(record)).map((body) => ({
      method,
      kind,
      id: addressOf(kind, stored),
      ...(method !== 'DELETE' && { record: body }),
    })),
  );

const operationOf = (method: string, path: string) => {
  const found = api.operations.find((operation) => operation.method === method && operation.path === path);
  if (!found) throw new Error(`${method} ${path} is not in the description.`);
  return found;
};

it.each(kinds.flatMap((kind) => methods.map((method) => [method, kind] as const)))(
  '%s %s answers records that are nearly valid as described, and never with a 5xx',
  async (method, kind) => {
    const below = kind === 'cms-entries' ? '/{modelId}/{id}' : '/{id}';
    const operation = operationOf(method, `${manage}/${kind}${method === 'POST' ? '' : below}`);
    const property = fc.asyncProperty(change(kind, method), async ({ id, record }) => {
      const request = `${method} ${manage}/${kind}${method === 'POST' ? '' : `/${id}`}`;
      const answer = await call(request, { key, ...(record && { body: record }) });
      expect([answer.status < 500, answer.text]).toEqual([true, answer.text]);
      expect(api.problemsOf(operation, answer, request)).toEqual([]);
      if (answer.status !== 200 && answer.status !== 201) return;
      // Reads an accepted record back, alone and in its list.
      const address = answer.headers['location'] ?? `${manage}/${kind}/${id}`;
      expect((await call(`GET ${address}`, { key })).json).toEqual(answer.json);
    });
    // There are few removals, because only records of these kinds without references can be removed.
    await fc.assert(property, { ...settings, numRuns: method === 'DELETE' ? Math.ceil(numRuns / 4) : numRuns });
  },
  patience,
);

it(
  'changes that depend on each other are answered one by one, none with a mistake of the service',
  async () => {
    const operation = operationOf('POST', `${manage}/changes`);
    const anyChange = fc.tuple(fc.constantFrom(...kinds), fc.constantFrom(...methods)).chain((pair) => change(...pair));
    const property = fc.asyncProperty(fc.array(anyChange, { minLength: 1, maxLength: 12 }), async (changes) => {
      const answer = await call(`POST ${manage}/changes`, { key, body: { changes } });
      expect(api.problemsOf(operation, answer)).toEqual([]);
      if (answer.status !== 200) expect([400, 413]).toContain(answer.status);
      const results: { readonly status: number }[] = answer.json.results ?? [];
      expect(results.filter(({ status }) => status === 500)).toEqual([]);
      if (answer.status === 200) expect(results).toHaveLength(changes.length);
    });
    await fc.assert(property, { ...settings, numRuns: Math.ceil(numRuns / 4) });
  },
  patience,
);

it.each(['/api/public/menu/products', '/api/public/menu/categories', '/api/public/forms/contact'])(
  '%s still answers as described',
  async (path) => {
    const { status } = await call(`GET ${path}?apiKey=${key}&includeCmsData=false`);
    expect(status).toBeLessThan(500);
  },
);

it(
  'an image that is taken is shown byte for byte, and any other is refused',
  async () => {
    const operation = operationOf('POST', `${manage}/media`);
    const file = fc.record({
      bytes: hostileImage,
      filename: fc.constantFrom('a.png', 'a.svg', 'a.html', '../a.png', ''),
      type: fc.constantFrom('image/png', 'image/svg+xml', 'text/html', 'image/gif'),
    });
    const property = fc.asyncProperty(file, async (part) => {
      const answer = await call(`POST ${manage}/media`, { key, ...formBody([part]) });
      expect([201, 400]).toContain(answer.status);
      expect(api.problemsOf(operation, answer)).toEqual([]);
      if (answer.status === 400) return;
      const { id, width, height } = answer.json;
      expect(Math.max(width, height)).toBeLessThanOrEqual(16_384);
      const shown = await call(`GET /media/${id}`);
      expect([shown.status, shown.bytes.equals(part.bytes)]).toEqual([200, true]);
      expect(shown.headers['content-type']).toMatch(/^image\/(png|jpeg|gif|webp|avif)$/);
    });
    await fc.assert(property, settings);
  },
  patience,
);
