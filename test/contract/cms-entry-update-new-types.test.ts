import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

const field = (key: string, rest: object) => ({ key, name: { en: key }, ...rest });
const text = { type: 'text' };
const localized = { type: 'text', localized: true };
const modelOf = (fields: Record<string, object>) => ({
  id: 'changing',
  name: { en: 'Changing' },
  fields: Object.entries(fields).map(([key, rest]) => field(key, rest)),
});

/** The entries are stored with these types, and updated with those. */
const before = modelOf({ plain: text, empty: text, both: localized, number: text, list: text, gone: text });
const after = modelOf({
  plain: localized,
  empty: localized,
  both: text,
  number: { type: 'number' },
  list: { type: 'multiSelect', options: [{ value: 'a', label: {} }] },
  late: { ...localized, required: true },
});
const values = { plain: 'Old', both: { en: 'Old', ar: 'قديم' }, number: 'Old', list: 'Old', gone: 'Old' };

const kitchen = await openWorkspace('kitchen', (document) => {
  document.cms.models.push(before);
  for (let number = 1; number <= 9; number++) {
    document.cms.entries.push({ id: `entry_${number}`, modelId: 'changing', values });
  }
});
await load({ version: 1, workspace: kitchen.document.workspace, cms: { models: [after] } });
const key = kitchen.keys.editor;
const update = (number: number, sent: object, headers: Record<string, string> = {}) =>
  call(`PATCH /api/public/cms/changing/entry_${number}`, { key, body: { values: sent }, headers });
const read = async (number: number) => (await call(`GET /api/public/cms/changing/entry_${number}`, { key })).json;

describe('a field whose type has changed since the entry was stored', () => {
  it.each<[number, string, unknown, unknown]>([
    [1, 'plain', { en: 'New' }, { en: 'New' }],
    [1, 'plain', { ar: 'جديد' }, { en: 'New', ar: 'جديد' }],
    [1, 'empty', { ar: 'جديد' }, { ar: 'جديد' }],
    [2, 'plain', { en: null }, null],
    [2, 'plain', {}, null],
    [2, 'empty', null, null],
    [2, 'both', 'New', 'New'],
    [3, 'both', null, null],
    [3, 'number', 7, 7],
    [3, 'list', ['a'], ['a']],
    [3, 'late', { en: 'New' }, { en: 'New' }],
  ])('a field with values of another type: in entry %d, %s accepts %j', async (number, name, sent, expected) => {
    const { status, json } = await update(number, { [name]: sent });
    expect(status).toBe(200);
    expect(json[name]).toEqual(expected);
    expect((await read(number))[name]).toEqual(expected);
  });

  it('accepts a value together with other fields, and with If-Match', async () => {
    const sent = { plain: { en: 'New' }, empty: { en: 'New' }, both: 'New', number: 1, late: { ar: 'جديد' } };
    const { status, json } = await update(4, sent, { 'if-match': '*' });
    expect(status).toBe(200);
    expect(json).toMatchObject(sent);
    expect((await update(5, sent)).json).toMatchObject(sent);
  });

  it('is null, and remains null while other fields change', async () => {
    const { json } = await update(6, { number: 5 });
    expect(json).toMatchObject({ plain: null, empty: null, both: null, number: 5, list: null, late: null });
  });

  it('accepts values of its new type only', async () => {
    expect((await update(7, { plain: 'Old' })).status).toBe(400);
    expect((await update(7, { both: { en: 'Old' } })).status).toBe(400);
    expect((await update(7, { gone: 'Old' })).json.errors).toMatchObject([
      { path: 'values.gone', code: 'unknown_field' },
    ]);
  });

  it('is refused without a value if it is required (400)', async () => {
    for (const late of [null, {}, { en: ' ' }, { en: null }]) {
      expect((await update(8, { late })).json.errors).toMatchObject([{ path: 'values.late', code: 'required' }]);
    }
    expect((await update(8, { number: 1 })).status).toBe(200);
  });

  it('keeps concurrent updates of all its languages', async () => {
    const [en, ar] = await Promise.all([update(9, { plain: { en: 'New' } }), update(9, { plain: { ar: 'جديد' } })]);
    expect([en.status, ar.status]).toEqual([200, 200]);
    expect((await read(9)).plain).toEqual({ en: 'New', ar: 'جديد' });
  });
});
