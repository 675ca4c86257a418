import { describe, expect, it } from '@jest/globals';
import { signatureOf } from '#lib/secrets/own-signature.ts';
import { call } from '#test/support/call.ts';
import { demoKeys, openDemo } from '#test/support/demo-workspace.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { formBody } from '#test/support/multipart.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const types = ['number', 'boolean', 'date', 'datetime', 'text'];
await openDemo(({ cms }) => {
  cms.models.push({
    id: 'sorted',
    name: { en: 'Sorted' },
    fields: types.map((type) => ({ key: type, name: { en: type }, type })),
  });
  for (const number of [1, 2, 3]) {
    const date = `2026-01-0${number}`;
    const values = { number, boolean: number > 1, date, datetime: `${date}T09:00:00Z`, text: `Text ${number}` };
    cms.entries.push({ id: `sorted_${number}`, modelId: 'sorted', values });
  }
});
const key = demoKeys.admin;
const note = () => formBody([{ filename: 'note.txt', bytes: 'A note of some length.' }]);
for (const name of ['One', 'Two']) {
  await call('POST /api/v1/connect/attachments', { key: demoKeys.desk, ...note() });
  await call('POST /api/v1/manage/customers', { key, body: { name } });
}

const manage = '/api/v1/manage';
const entries = '/api/public/cms';
/** Every list that hands out cursors. */
const lists = [
  `${entries}/chefs/list?`,
  `${entries}/chefs/list?search=a&`,
  ...[...types, '-updatedAt', '-text,number'].map((sort) => `${entries}/sorted/list?sort=${sort}&`),
  ...['cms-models', 'menu-categories', 'menu-products', 'forms', 'form-responses', 'notifications', 'attachments'],
  ...['agents', 'channels', 'customers', 'customers?q=a', 'members', 'api-keys', 'audit-events', 'audit-events?q=c'],
  ...['cms-entries?modelId=chefs', 'cms-entries?modelId=sorted&sort=number,-datetime'],
  '/api/v1/connect/conversations',
  '/api/v1/connect/conversations?unread=true',
].map((list) => {
  const address = list.startsWith('/') ? list : `${manage}/${list}`;
  return address.endsWith('&') || address.endsWith('?') ? address : `${address}${address.includes('?') ? '&' : '?'}`;
});

const read = async (list: string, cursor?: string, secret: string = list.includes('connect') ? demoKeys.all : key) => {
  const more = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  return call(`GET ${list}limit=1${more}`, { key: secret });
};

const cursors = new Map<string, string>();
for (const list of lists) {
  const { headers, json } = await read(list);
  const next: unknown = headers['x-cms-next-cursor'] ?? json.next;
  if (typeof next !== 'string') throw new Error(`${list} has no second page: ${JSON.stringify(json)}`);
  cursors.set(list, next);
}
const refused = {
  message: 'cursor: Must be the cursor from the previous page, with the same parameters.',
  code: 'invalid_query',
  errors: [
    {
      path: 'cursor',
      code: 'format',
      message: 'cursor: Must be the cursor from the previous page, with the same parameters.',
    },
  ],
};

const signatureCharacters = 43;
const contentOf = (cursor: string): [string, unknown] =>
  JSON.parse(Buffer.from(cursor.slice(signatureCharacters), 'base64url').toString());

/** A cursor that this service could have signed, for any list and position. */
async function signed(content: unknown): Promise<string> {
  const text = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `${await signatureOf('cursor', text)}${text}`;
}

const deep = (levels: number): unknown => (levels === 0 ? [] : [deep(levels - 1)]);
const junk = [null, 1e308, '', '\u{10ffff}', {}];
const tooLong = ['x'.repeat(1_025), 'ش'.repeat(513)];

/** A position with one of its parts replaced, by any of these values. */
function mutations(position: unknown, values: readonly unknown[]): unknown[] {
  if (!Array.isArray(position)) return [...values];
  const parts = position.flatMap((part, index) =>
    mutations(part, values).map((mutated) => position.with(index, mutated)),
  );
  return [...values, ...parts, [...position, 'x'], position.slice(1), position.slice(0, -1), { ...position }];
}

/** Lists of one kind share their code, so the fast run tries each sixth. */
const tried = [...cursors].filter((_, index) => isLongRun || index % 6 === 0);

describe.each(tried)('%s', (list, cursor) => {
  const [name, position] = contentOf(cursor);

  it('continues with its own cursor', async () => {
    expect((await read(list, cursor)).status).toBe(200);
  });

  it('refuses every position that no cursor of it has, even if the signature is right', async () => {
    for (const mutated of mutations(position, junk)) {
      const { status, json } = await read(list, await signed([name, mutated]));
      expect([JSON.stringify(mutated), [200, 400]]).toEqual([
        JSON.stringify(mutated),
        expect.arrayContaining([status]),
      ]);
      if (status === 400) expect(json).toEqual(refused);
    }
    for (const whole of [null, true, 1, {}, [], [null], deep(50), { ...[position] }]) {
      expect(await read(list, await signed([name, whole]))).toMatchObject({ status: 400, json: refused });
    }
    for (const long of mutations(position, tooLong).filter((mutated) => /(.)\1{500}/.test(JSON.stringify(mutated)))) {
      expect(await read(list, await signed([name, long]))).toMatchObject({ status: 400, json: refused });
    }
  });

  it('refuses the cursors of other lists and workspaces', async () => {
    // The next ones in the order of the lists, so that each cursor is tried.
    const others = [...cursors, ...cursors].slice(lists.indexOf(list) + 1).slice(0, 5);
    for (const [other, foreign] of others) {
      expect([other, (await read(list, foreign)).json]).toEqual([other, refused]);
    }
  });

  it('refuses a cursor that was changed, cut or put together', async () => {
    const [other = ''] = [...cursors.values()].filter((foreign) => foreign !== cursor);
    const at = Math.floor(cursor.length / 2);
    const forged = [
      cursor.slice(0, -1),
      cursor.slice(1),
      `${cursor}A`,
      cursor.toLowerCase(),
      cursor.slice(signatureCharacters),
      cursor.slice(0, signatureCharacters) + other.slice(signatureCharacters),
      other.slice(0, signatureCharacters) + cursor.slice(signatureCharacters),
      `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`,
      await signed([name]),
      await signed([name, position, position]),
      await signed(position),
      await signed({ 0: name, 1: position }),
    ];
    for (const text of forged) expect([text, (await read(list, text)).json]).toEqual([text, refused]);
  });
});

it('a cursor counts in its own workspace alone', async () => {
  const other = await openWorkspace('records');
  for (const [list, cursor] of cursors) {
    if (!list.startsWith(manage) || list.includes('cms-entries')) continue;
    expect([list, (await read(list, cursor, other.secretOf('all'))).json]).toEqual([list, refused]);
  }
});
