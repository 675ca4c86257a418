import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, call } from '#test/support/call.ts';
import { type Fault, FaultProxy } from '#test/support/fault-proxy.ts';
import { timed } from '#test/support/spent-time.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('kitchen', ({ cms }) => {
  const fields = ['title', 'amount'].map((key) => ({
    key,
    name: { en: key },
    type: key === 'title' ? 'text' : 'number',
  }));
  cms.models.push({ id: 'notes', name: { en: 'Notes' }, fields });
  cms.entries.push({ id: 'note_1', modelId: 'notes', values: {} });
});
const key = kitchen.keys.editor;
// The functions are imported from here on, so that their table is behind the proxy.
const proxy = await FaultProxy.start();
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
afterEach(() => proxy.heal());
afterAll(() => proxy.stop());

const body = { values: { title: 'Thing', amount: 1 } };
const routes: Record<string, () => Promise<Answer>> = {
  list: () => call('GET /api/public/cms/chefs/list?limit=3', { key }),
  get: () => call('GET /api/public/cms/chefs/chef_5', { key }),
  products: () => call(`GET /api/public/menu/products?apiKey=${key}&limit=2`),
  'products in another order': () =>
    call(`GET /api/public/menu/products?apiKey=${key}&search=a&sortBy=name&includeCmsData=false`),
  categories: () => call(`GET /api/public/menu/categories?apiKey=${key}`),
  'update of an entry': () => call('PATCH /api/public/cms/notes/note_1', { key, body }),
  'update of an entry that others relate to': () => call('PATCH /api/public/cms/things/thing_1', { key, body }),
  'update of an entry that relates to products': () =>
    call('PATCH /api/public/cms/chefs/chef_5', { key, body: { values: { joined: '2026-01-01', mentor: 'chef_4' } } }),
};
const request = (name: string): Promise<Answer> => {
  const found = routes[name];
  if (!found) throw new Error(name);
  return found();
};

const throttled: Fault = { kind: 'error', type: 'ProvisionedThroughputExceededException', status: 400 };
const limited: Fault = { kind: 'error', type: 'ThrottlingException', status: 400 };
const broken: Fault = { kind: 'error', type: 'InternalServerError', status: 500 };
const away: Fault = { kind: 'error', type: 'ServiceUnavailable', status: 503 };
const shown = (fault: Fault) => Object.values(fault).join(' ');

async function expectUnavailable(name: string): Promise<void> {
  const { result, waited } = await timed(() => request(name));
  expect(waited).toBeLessThan(3_000);
  const { status, headers, json } = result;
  expect({ name, status }).toEqual({ name, status: 503 });
  expect(headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(json).toEqual({ code: 'unavailable', message: expect.stringMatching(/ .*\.$/) });
}

/** The parts of an answer that are equal for equal requests. */
const stableParts = ({ status, text, headers }: Answer) => ({
  status,
  text: text.replaceAll(/"updatedAt":"[^"]*"/g, ''),
  total: headers['x-cms-total'],
});

/** Sends the requests one after the other. */
async function stablePartsOf(names: readonly string[]): Promise<object[]> {
  const answers = [];
  for (const name of names) answers.push(stableParts(await request(name)));
  return answers;
}

describe('503 within 3 seconds, when the table', () => {
  const all = Object.keys(routes);
  const list = 'list';
  const update = 'update of an entry';
  const related = 'update of an entry that others relate to';
  const relating = 'update of an entry that relates to products';
  const rows: [Fault, string, string[]][] = [
    [throttled, 'any', all],
    [limited, 'any', all],
    [broken, 'any', all],
    [away, 'any', all],
    [{ kind: 'hang' }, 'any', all],
    [{ kind: 'reset before' }, 'any', all],
    [{ kind: 'reset after' }, 'BatchGetItem', all],
    [{ kind: 'cut reply', end: 'broken' }, 'BatchGetItem', all],
    [{ kind: 'cut reply', end: 'clean' }, 'BatchGetItem', all],
    [{ kind: 'cut reply', end: 'stalled' }, 'BatchGetItem', [list, update]],
    [{ kind: 'delay', milliseconds: 2_900 }, 'BatchGetItem', [list, update]],
    [{ kind: 'unprocessed', parts: 'all' }, 'BatchGetItem', all],
    [throttled, 'Query', [list]],
    [{ kind: 'hang' }, 'Query', [list]],
    [{ kind: 'cut reply', end: 'clean' }, 'Query', [list]],
    [throttled, 'TransactWriteItems', [update, related, relating]],
    [{ kind: 'hang' }, 'TransactWriteItems', [update, related, relating]],
  ];
  // The first update of an entry changes lists. The compared updates change nothing.
  beforeAll(() => stablePartsOf(all));

  it.each(
    rows.map(([fault, operation, names]) => [shown(fault), operation, names.join(', '), { fault, names }] as const),
  )('answers every time: %s (%s, %s)', async (_, operation, __, { fault, names }) => {
    const before = await stablePartsOf(names);
    proxy.plan(operation, fault);
    await Promise.all(names.map(expectUnavailable));
    proxy.heal();
    expect(await stablePartsOf(names)).toEqual(before);
  });
});

describe('the answer is correct in spite of', () => {
  const once: Fault[] = [
    throttled,
    limited,
    broken,
    away,
    { kind: 'reset before' },
    { kind: 'reset after' },
    { kind: 'delay', milliseconds: 300 },
  ];
  it.each(once.flatMap((fault) => Object.keys(routes).map((name) => [shown(fault), name, fault] as const)))(
    'one fault: %s (%s)',
    async (_, name, fault) => {
      const before = stableParts(await request(name));
      proxy.plan('any', fault, 1);
      expect(stableParts(await request(name))).toEqual(before);
    },
  );

  it('three faults, however long the table was down before', async () => {
    const before = stableParts(await request('get'));
    proxy.plan('any', broken);
    for (let failed = 0; failed < 12; failed++) expect((await request('get')).status).toBe(503);
    proxy.heal();
    expect(stableParts(await request('get'))).toEqual(before);
    proxy.plan('any', { kind: 'reset before' }, 3);
    expect(stableParts(await request('get'))).toEqual(before);
  });

  it.each(Object.keys(routes))('half of the keys of every read left unprocessed (%s)', async (name) => {
    const before = stableParts(await request(name));
    proxy.plan('BatchGetItem', { kind: 'unprocessed', parts: 'half' });
    expect(stableParts(await request(name))).toEqual(before);
  });

  it.each(Object.keys(routes).flatMap((name) => (['broken', 'clean'] as const).map((end) => [end, name] as const)))(
    'one answer cut off, %s, or it is 503 (%s)',
    async (end, name) => {
      const before = stableParts(await request(name));
      proxy.plan('any', { kind: 'cut reply', end }, 1);
      const answer = await request(name);
      if (answer.status !== 503) expect(stableParts(answer)).toEqual(before);
    },
  );
});

describe('a key that cannot be read', () => {
  it.each([
    ['right', key],
    ['revoked', kitchen.keys.revoked],
    ['unknown', 'no-such-key-00000000000000'],
  ])('is 503 and not 401 (%s)', async (_, secret) => {
    proxy.plan('any', throttled);
    expect((await call('GET /api/public/cms/chefs/list', { key: secret })).status).toBe(503);
  });
});
