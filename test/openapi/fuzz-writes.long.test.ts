import { afterEach, expect, it } from '@jest/globals';
import { ApiDocument } from '#test/support/api-document.ts';
import { call } from '#test/support/call.ts';
import { demoKeys, openDemo } from '#test/support/demo-workspace.ts';
import { fc } from '#test/support/fast-check.ts';
import { hostileWrite } from './hostile-writes.ts';

/** Bodies that no library writes, with headers of every form, on each management write. */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 40);
/** In milliseconds, for a machine with other load. */
const patience = 600_000 + 400 * numRuns;
const key = demoKeys.admin;
const manage = '/api/v1/manage';

const { workspace, members, cms, menu, forms, messaging, notifications } = await openDemo();
const api = await ApiDocument.read();

type Stored = Readonly<Record<string, unknown>>;
interface Target {
  readonly method: string;
  readonly kind: string;
  /** The end of the path in the description. */
  readonly below: string;
  readonly records: readonly Stored[];
}

const writes = (kind: string, records: readonly Stored[], methods = ['POST', 'PUT', 'PATCH'], id = '/{id}'): Target[] =>
  methods.map((method) => ({ method, kind, records, below: method === 'POST' ? '' : id }));
// Does not change the key of the test.
const keys = [{ id: 'key_site', name: 'Website', permissions: ['cms:entry:read'], memberId: null, expiresAt: null }];
const targets: readonly Target[] = [
  ...writes('cms-entries', cms.entries, undefined, '/{modelId}/{id}'),
  ...writes('cms-models', cms.models),
  ...writes('menu-categories', menu.categories),
  ...writes('menu-products', menu.products),
  ...writes('forms', forms),
  ...writes('agents', messaging.agents),
  ...writes('channels', messaging.channels),
  ...writes('customers', messaging.customers),
  ...writes('notifications', notifications, ['PATCH']),
  ...writes('members', members),
  ...writes('api-keys', keys, ['POST', 'PATCH']),
  { method: 'POST', kind: 'api-keys', below: '/{id}/rotate', records: [{ id: 'key_site', graceSeconds: 1 }] },
  {
    method: 'POST',
    kind: 'changes',
    below: '',
    records: [{ changes: [{ method: 'PUT', kind: 'customers', id: 'new', ifMatch: '*', record: { name: 'New' } }] }],
  },
  // The last kind, because the others need its languages.
  ...writes('workspace', [workspace], ['PATCH'], ''),
];

/** Copies a record without its id, and with unused names. */
function renamed({ id: _, ...record }: Stored, number: number): Stored {
  const names = ['slug', 'identifier', 'email', 'externalId'].filter((name) => typeof record[name] === 'string');
  return {
    ...record,
    ...Object.fromEntries(names.map((name) => [name, name === 'slug' ? `free-${number}` : `free@${number}.example`])),
  };
}

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Stored)['polluted']).toBeUndefined();
});

it.each(targets.map((target) => [`${target.method} ${target.kind}${target.below}`, target] as const))(
  '%s answers what no library would send as described, and never with a 5xx',
  async (_, { method, kind, below, records }) => {
    const operation = api.operations.find(
      (candidate) => candidate.method === method && candidate.path === `${manage}/${kind}${below}`,
    );
    if (!operation) throw new Error(`${method} ${kind}${below} is not in the description.`);
    const write = fc
      .record({ stored: fc.constantFrom(...records), isNew: fc.boolean(), number: fc.nat() })
      .chain(({ stored, isNew, number }) => {
        const record = method === 'POST' && below === '' && isNew ? renamed(stored, number) : stored;
        return hostileWrite(record).map((sent) => ({ record, ...sent }));
      });
    const property = fc.asyncProperty(write, async ({ record, body, headers }) => {
      const path = below.replaceAll(/\{(\w+)\}/g, (_, name) => String(record[name]));
      const answer = await call(`${method} ${manage}/${kind}${path}`, { key, body, headers });
      expect([answer.status < 500, answer.text]).toEqual([true, answer.text]);
      expect(api.problemsOf(operation, answer)).toEqual([]);
      if (below.endsWith('/rotate') || kind === 'changes' || kind === 'api-keys') return;
      if (answer.status !== 200 && answer.status !== 201) return;
      // Reads an accepted record back. The answer to a used Idempotency-Key may be older than the record.
      const read = await call(`GET ${answer.headers['location'] ?? `${manage}/${kind}${path}`}`, { key });
      expect(read.status).toBe(200);
      if (headers['idempotency-key'] === undefined) expect(read.json).toEqual(answer.json);
    });
    await fc.assert(property, { numRuns, timeout: 60_000 });
  },
  patience,
);
