import { describe, expect, it } from '@jest/globals';
import { type Answer, call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const image = { id: 'img_1', url: 'https://a.co/1.png', alt: null, width: null, height: null };
const options = [{ value: 's', label: {} }];
const types: Record<string, { field: object; value: unknown; none: unknown[] }> = {
  text: { field: {}, value: 'x', none: ['', ' \n\t\u00a0'] },
  longText: { field: {}, value: 'x', none: ['', '  '] },
  richText: { field: {}, value: '<p></p>', none: ['', '  '] },
  number: { field: {}, value: 0, none: [] },
  boolean: { field: {}, value: false, none: [] },
  date: { field: {}, value: '2026-01-01', none: ['', ' '] },
  datetime: { field: {}, value: '2026-01-01T00:00:00Z', none: ['', ' '] },
  email: { field: {}, value: 'a@b.co', none: ['', ' '] },
  url: { field: {}, value: 'https://a.co', none: ['', ' '] },
  phone: { field: {}, value: '12345', none: ['', '      '] },
  select: { field: { options }, value: 's', none: ['', ' '] },
  multiSelect: { field: { options }, value: ['s'], none: [[]] },
  json: { field: {}, value: 0, none: ['', ' ', []] },
  media: { field: {}, value: image, none: [] },
  relation: { field: { relation: { to: 'cms:chefs', many: false } }, value: 'chef_1', none: ['', ' '] },
};
const lists: typeof types = {
  images: { field: { type: 'media', many: true }, value: [image], none: [[]] },
  friends: { field: { type: 'relation', relation: { to: 'cms:chefs', many: true } }, value: ['chef_1'], none: [[]] },
};
const all = { ...types, ...lists };

const kitchen = await openWorkspace('kitchen', (document) => {
  const fields = Object.entries(all).map(([key, { field }]) => ({
    key,
    name: { en: key },
    type: key,
    required: true,
    ...field,
  }));
  document.cms.models.push({ id: 'needs', name: { en: 'Needs' }, fields });
  const values = Object.fromEntries(Object.entries(all).map(([key, { value }]) => [key, value]));
  document.cms.entries.push({ id: 'need_1', modelId: 'needs', values });
});
const key = kitchen.keys.editor;
const path = '/api/public/cms/needs/need_1?maxDepth=0';
const update = (values: object) => call(`PATCH ${path}`, { key, body: { values } });
const read = async () => (await call(`GET ${path}`, { key })).text;

describe('a required field', () => {
  it.each(Object.entries(all).map(([type, { value }]) => [type, JSON.stringify(value), value]))(
    'a required field of type %s accepts %s',
    async (type, _, value) => {
      expect((await update({ [String(type)]: value })).status).toBe(200);
    },
  );

  it.each(
    Object.entries(all).flatMap(([type, { none }]) =>
      [null, ...none].map((value) => [type, JSON.stringify(value), value]),
    ),
  )('400 for %s: %s, which is no value', async (type, _, value) => {
    const untouched = await read();
    const { status, json } = await update({ [String(type)]: value });
    expect(status).toBe(400);
    expect(json.code).toBe('validation_failed');
    expect(json.errors).toEqual([
      { path: `values.${type}`, code: 'required', message: expect.stringMatching(/ .*\.$/) },
    ]);
    expect(await read()).toBe(untouched);
  });

  it('lists all of them if none keeps a value (400)', async () => {
    const { status, json } = await update(Object.fromEntries(Object.keys(all).map((type) => [type, null])));
    expect(status).toBe(400);
    expect(json.errors.map(({ path: place, code }: Answer['json']) => `${place} ${code}`).sort()).toEqual(
      Object.keys(all)
        .map((type) => `values.${type} required`)
        .sort(),
    );
  });

  it('may be left out of an update', async () => {
    expect((await update({ published: false })).status).toBe(200);
  });
});
