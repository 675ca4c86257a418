import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

const image = { id: 'img', url: 'https://img.example/1.png', alt: null, width: null, height: null };
const relation = (many: boolean) => ({ type: 'relation', relation: { to: 'cms:changing', many } });

/** Types of fields, each with an imported value and the value that an answer shows at depth 0. */
const kinds: Record<string, { readonly field: object; readonly value: unknown; readonly shown?: unknown }> = {
  text: { field: { type: 'text' }, value: '1,"id":"forged"' },
  localized: { field: { type: 'text', localized: true }, value: { en: 'Tea' } },
  number: { field: { type: 'number' }, value: 5 },
  boolean: { field: { type: 'boolean' }, value: true },
  json: { field: { type: 'json' }, value: { a: [1] } },
  media: { field: { type: 'media' }, value: image },
  medias: { field: { type: 'media', many: true }, value: [image] },
  one: { field: relation(false), value: 'entry', shown: { id: 'entry' } },
  many: { field: relation(true), value: ['entry'], shown: [{ id: 'entry' }] },
  options: { field: { type: 'multiSelect', options: [{ value: 'a', label: {} }] }, value: ['a'] },
};
/** Types that share their stored form: a value of one is a value of the other. */
const alike = [
  ['text', 'one', 'json'],
  ['options', 'many'],
];

const names = Object.keys(kinds);
const changes = names.flatMap((before) => names.map((after) => ({ key: `${before}_${after}`, before, after })));
const model = (when: 'before' | 'after') => ({
  id: 'changing',
  name: { en: 'Changing' },
  fields: changes.map((change) => ({ key: change.key, name: { en: change.key }, ...kinds[change[when]]?.field })),
});

/** Types of fields whose values are texts of a fixed format. */
const formats: Record<string, object> = {
  date: { type: 'date' },
  datetime: { type: 'datetime' },
  email: { type: 'email' },
  url: { type: 'url' },
  phone: { type: 'phone' },
  relation: relation(false),
};
const formatModel = (field: (key: string) => object) => ({
  id: 'formats',
  name: { en: 'Formats' },
  fields: Object.keys(formats).map((key) => ({ key, name: { en: key }, ...field(key) })),
});

const { document, keys } = await openWorkspace('kitchen', ({ cms }) => {
  cms.models.push(model('before'));
  const values = Object.fromEntries(changes.map(({ key, before }) => [key, kinds[before]?.value]));
  cms.entries.push({ id: 'entry', modelId: 'changing', values });
  cms.models.push(formatModel(() => ({ type: 'text' })));
  const texts = Object.fromEntries(Object.keys(formats).map((key) => [key, 'As you like it']));
  cms.entries.push({ id: 'entry', modelId: 'formats', values: texts });
});
const newModels = [model('after'), formatModel((key) => formats[key] ?? {})];
await load({ version: 1, workspace: document.workspace, cms: { models: newModels } });

describe('a value of a field whose type an import has changed', () => {
  const apart = changes.filter(
    ({ before, after }) => !alike.some((group) => group.includes(before) && group.includes(after)),
  );

  it.each(apart)('$before is shown as $after only if it is valid for that type', async ({ key, before, after }) => {
    const { status, json } = await call(`GET /api/public/cms/changing/list?fields=${key}&maxDepth=0`, {
      key: keys.reader,
    });
    const { value, shown = value } = kinds[after] ?? {};
    expect(status).toBe(200);
    expect(json).toEqual([{ id: 'entry', [key]: before === after ? shown : after === 'many' ? [] : null }]);
  });

  it.each(Object.keys(formats))('a text that is no %s is neither shown as one nor found', async (key) => {
    const shown = await call(`GET /api/public/cms/formats/list?fields=${key}&maxDepth=0`, { key: keys.reader });
    expect(shown.json).toEqual([{ id: 'entry', [key]: null }]);
    const found = await call(`GET /api/public/cms/formats/list?filter[${key}][exists]=true`, { key: keys.reader });
    expect(found.json).toEqual([]);
  });

  it.each([0, 1, 6])('is shown among all others at depth %d (200)', async (maxDepth) => {
    const few = names.map((name) => `one_${name},many_${name},text_${name},json_${name}`).join();
    for (const query of [`maxDepth=${maxDepth}&fields=${few}`, 'maxDepth=1']) {
      const { status, json } = await call(`GET /api/public/cms/changing/entry?${query}`, { key: keys.reader });
      expect(status).toBe(200);
      expect(json.id).toBe('entry');
    }
  });

  it.each(apart)('$before is replaced by an update to $after', async ({ key, after }) => {
    const { value, shown = value } = kinds[after] ?? {};
    const { status, json } = await call(`PATCH /api/public/cms/changing/entry?fields=${key}&maxDepth=0`, {
      key: keys.editor,
      body: { values: { [key]: value } },
    });
    expect(status).toBe(200);
    expect(json).toEqual({ id: 'entry', [key]: shown });
  });
});
