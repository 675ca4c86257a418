import { expect, it } from '@jest/globals';
import { signatureOf } from '#lib/secrets/own-signature.ts';
import { ApiDocument } from '#test/support/api-document.ts';
import { call } from '#test/support/call.ts';
import { demoKeys, openDemo } from '#test/support/demo-workspace.ts';
import { fc } from '#test/support/fast-check.ts';
import { hostileText } from './hostile-values.ts';

/** Cursors that a list did not hand out, and those that only somebody with the secret of the service could make. */
const numRuns = 4 * Number(process.env['FUZZ_RUNS'] ?? 40);
/** In milliseconds, for a machine with other load. */
const patience = 600_000 + 200 * numRuns;

await openDemo();
const api = await ApiDocument.read();
/** A list of conversations belongs to a member. */
const keyOf = (address: string): string => (address.includes('connect') ? demoKeys.all : demoKeys.admin);
const manage = '/api/v1/manage';

const kinds = ['cms-models', 'menu-categories', 'menu-products', 'forms', 'form-responses', 'notifications', 'agents'];
const others = ['channels', 'customers', 'members', 'api-keys', 'audit-events'];
const lists: readonly { readonly path: string; readonly address: string }[] = [
  ...[...kinds, ...others].map((kind) => ({ path: `${manage}/${kind}`, address: `${manage}/${kind}?limit=1` })),
  ...['', '&sort=-createdAt,id'].map((sort) => ({
    path: `${manage}/cms-entries`,
    address: `${manage}/cms-entries?modelId=chefs&limit=1${sort}`,
  })),
  ...['', '&search=a', '&sort=published,-updatedAt'].map((query) => ({
    path: '/api/public/cms/{modelId}/list',
    address: `/api/public/cms/chefs/list?limit=1${query}`,
  })),
  { path: '/api/v1/connect/conversations', address: '/api/v1/connect/conversations?limit=1' },
];

const cursors: string[] = [];
for (const name of ['One', 'Two']) await call(`POST ${manage}/customers`, { key: demoKeys.admin, body: { name } });
for (const { address } of lists) {
  const { json, headers } = await call(`GET ${address}`, { key: keyOf(address) });
  const next: unknown = headers['x-cms-next-cursor'] ?? json.next;
  if (typeof next === 'string') cursors.push(next);
}

const signatureCharacters = 43;
const contentOf = (cursor: string): unknown[] =>
  JSON.parse(Buffer.from(cursor.slice(signatureCharacters), 'base64url').toString());

type Forged = string | { readonly content: unknown };
const real = fc.constantFrom(...cursors);
const anyJson = fc.oneof(fc.jsonValue(), hostileText);

/** A position with one of its parts replaced. */
const changedPosition = fc.tuple(real, anyJson, fc.nat()).map(([cursor, part, at]): Forged => {
  const [name, position] = contentOf(cursor);
  if (!Array.isArray(position)) return { content: [name, part] };
  return { content: [name, position.with(at % position.length, part)] };
});
const forged: fc.Arbitrary<Forged> = fc.oneof(
  real,
  hostileText,
  fc.tuple(real, hostileText, fc.nat()).map(([cursor, text, at]) => {
    const from = at % cursor.length;
    return cursor.slice(0, from) + text.slice(0, 3) + cursor.slice(from + 1);
  }),
  fc.tuple(real, real).map(([a, b]) => a.slice(0, signatureCharacters) + b.slice(signatureCharacters)),
  fc.tuple(real, anyJson).map(([cursor, position]): Forged => ({ content: [contentOf(cursor)[0], position] })),
  changedPosition,
  anyJson.map((content): Forged => ({ content })),
);

async function textOf(cursor: Forged): Promise<string> {
  if (typeof cursor === 'string') return cursor;
  const text = Buffer.from(JSON.stringify(cursor.content)).toString('base64url');
  return `${await signatureOf('cursor', text)}${text}`;
}

it(
  'a forged cursor, one of another list, or any JSON with a right signature, is answered with a page or 400',
  async () => {
    expect(cursors.length).toBeGreaterThan(12);
    const statuses = new Set<number>();
    const property = fc.asyncProperty(fc.constantFrom(...lists), forged, async ({ path, address }, cursor) => {
      const text = await textOf(cursor);
      const request = `GET ${address}&cursor=${encodeURIComponent(text.toWellFormed())}`;
      const answer = await call(request, { key: keyOf(address) });
      expect([200, 400]).toContain(answer.status);
      statuses.add(answer.status);
      const operation = api.operations.find((candidate) => candidate.method === 'GET' && candidate.path === path);
      expect(operation && api.problemsOf(operation, answer)).toEqual([]);
    });
    await fc.assert(property, { numRuns, timeout: 60_000 });
    expect([...statuses].sort()).toEqual([200, 400]);
  },
  patience,
);
