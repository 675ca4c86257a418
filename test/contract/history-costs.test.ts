import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { storedBytes } from '#lib/domain/stored-size.ts';
import { startTableProxy } from '#test/support/proxied-table.ts';
import type { Input } from '#test/support/table-call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { manage } = await openWorkspace('records', (document) => {
  const title = { key: 'title', name: { en: 'Title' }, type: 'longText', localized: true };
  document.cms = { models: [{ id: 'notes', name: { en: 'Notes' }, fields: [title] }] };
});
const proxy = await startTableProxy();

/** Hardly compressible, like a text of many short sentences at the worst. */
const prose = (bytes: number): string => randomBytes(bytes).toString('base64url').slice(0, bytes);
const twoKilobytes = 2_048;

const kinds: readonly (readonly [path: string, record: (text: string) => object])[] = [
  ['cms-entries/notes/note', (text) => ({ modelId: 'notes', values: { title: { en: text } } })],
  ['forms/form', (text) => ({ slug: 'form', title: { en: 'Form' }, fields: fieldsOf(text) })],
  ['agents/agent', (text) => ({ name: 'Agent', instructions: text })],
  [
    'menu-products/dish',
    (text) => ({ slug: 'dish', name: { en: 'D' }, categoryId: 'cat_1', description: { en: text } }),
  ],
];
const fieldsOf = (text: string) =>
  (text.match(/.{1,100}/g) ?? []).map((title, index) => ({
    id: `f${index}`,
    ref: `f${index}`,
    title: { en: title },
    type: 'TEXT',
  }));

/** The items of the last transaction that history adds, each with its write units. */
function unitsOfHistory(): number[] {
  const writes = proxy.calls.filter(({ operation }) => operation === 'TransactWriteItems').at(-1)?.input.TransactItems;
  const items = (writes as Input[]).flatMap(({ Put }) => (Put ? [Put.Item as Input] : []));
  const added = items.filter(({ pk }) => /^VERSIONS#/.test(pk.S));
  return added.map((item) => 2 * Math.ceil(bytesOf(item) / 1_024));
}

/** The engine has each value with its type, and bytes in Base64. */
const bytesOf = (item: Input): number =>
  Object.entries<Input>(item).reduce(
    (sum, [name, value]) =>
      sum +
      name.length +
      (value.B === undefined ? storedBytes(value.S ?? Number(value.N)) : Buffer.from(value.B, 'base64').length),
    0,
  );

it.each(kinds)('a change of %s of 2 KB takes at most 4 write units more for its version', async (path, record) => {
  const send = async (method: string, body?: object) => {
    proxy.calls = [];
    expect([method, (await manage(`${method} ${path}`, body)).status < 300]).toEqual([method, true]);
    return unitsOfHistory();
  };
  const text = prose(twoKilobytes - JSON.stringify(record('')).length - (path.startsWith('forms') ? 900 : 200));
  const made = await send('PUT', record(text));
  const changed = await send('PUT', record(`${text.slice(0, 1_000)} changed ${text.slice(1_009)}`));
  const removed = await send('DELETE');
  expect([made, changed, removed].map((units) => [units.length, (units[0] as number) <= 4])).toEqual([
    [1, true],
    [1, true],
    [1, true],
  ]);
});
