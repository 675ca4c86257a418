import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { deadlineMilliseconds } from '#lib/http/open-table.ts';
import { milliseconds } from '#lib/table/dynamodb/clock.ts';
import { type Answer, call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

const languages = ['en', 'ar', 'de', 'es', 'fr', 'it', 'ja', 'pt', 'tr', 'zh'];
const localized = (key: string) => ({ key, name: { en: key }, type: 'text', localized: true });
const plain = Array.from({ length: 100 }, (_, index) => `field_${index}`);
const later = Array.from({ length: 100 }, (_, index) => `later_${index}`);
const model = {
  id: 'wide',
  name: { en: 'Wide' },
  fields: [
    { ...localized('title'), required: true },
    localized('about'),
    { key: 'weight', name: { en: 'Weight' }, type: 'longText' },
    ...plain.map((key) => ({ key, name: { en: key }, type: 'text' })),
  ],
};

const kitchen = await openWorkspace('kitchen', (document) => {
  document.workspace.languages = languages;
  document.cms.models.push(model);
  const dish = { key: 'dish', name: { en: 'Dish' }, type: 'relation', relation: { to: 'menu:product', many: false } };
  document.cms.models.push({ ...model, id: 'dishes', fields: [dish, ...model.fields] });
  document.cms.entries.push({ id: 'dish', modelId: 'dishes', values: { title: { en: 'x' }, dish: 'prod_1' } });
  for (const id of ['fields', 'languages', 'mixed', 'heavy', 'later', 'parents', 'last', 'whole']) {
    document.cms.entries.push({ id, modelId: 'wide', values: { title: { en: 'x' } } });
  }
});
const key = kitchen.keys.editor;
const read = async (id: string) => (await call(`GET /api/public/cms/${id}`, { key })).json;

/** Updates, and retries after a 503 as clients do, at different moments. It is 503 only when its time is up. */
async function update(id: string, values: object, tries = 10): Promise<Answer> {
  const startedAt = milliseconds();
  const answer = await call(`PATCH /api/public/cms/${id}`, { key, body: { values } });
  if (answer.status !== 503 || tries === 1) return answer;
  expect(milliseconds() - startedAt).toBeGreaterThan(deadlineMilliseconds - 200);
  await delay(1_000 * Number(answer.headers['retry-after']) * (1 + 4 * Math.random()));
  return update(id, values, tries - 1);
}

const expectAccepted = (answers: readonly Answer[]) =>
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));

describe('100 concurrent updates', () => {
  it('100 concurrent updates of different fields are all kept', async () => {
    const before = await read('wide/fields');
    expectAccepted(await Promise.all(plain.map((field) => update('wide/fields', { [field]: `of ${field}` }))));
    const after = await read('wide/fields');
    expect(after).toMatchObject(Object.fromEntries(plain.map((field) => [field, `of ${field}`])));
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect(after.title).toEqual({ en: 'x' });
  });

  it('100 concurrent updates of different languages of one field are all kept', async () => {
    const writes = languages.flatMap((language) =>
      Array.from({ length: 10 }, (_, index) => [language, index] as const),
    );
    expectAccepted(
      await Promise.all(
        writes.map(([language, i]) => update('wide/languages', { title: { [language]: `${language} ${i}` } })),
      ),
    );
    const { title } = await read('wide/languages');
    expect(Object.keys(title)).toEqual(languages);
    for (const [language, text] of Object.entries(title)) expect(text).toMatch(new RegExp(`^${language} \\d$`));
  });

  it('100 concurrent updates of fields, languages and `published` together are all kept', async () => {
    const writes = Array.from({ length: 100 }, (_, i) => {
      if (i % 3 === 0) return { about: { [String(languages[i % 10])]: `text ${i % 10}` } };
      return i % 3 === 1 ? { [`field_${i}`]: `${i}` } : { published: false };
    });
    expectAccepted(await Promise.all(writes.map((values) => update('wide/mixed', values))));
    const after = await read('wide/mixed');
    expect(after.published).toBe(false);
    for (const { about, published, ...field } of writes as Record<string, unknown>[]) {
      expect(after).toMatchObject(about ? { ...field, about } : field);
    }
  });

  it('100 concurrent updates of an entry that relates to products are all kept', async () => {
    expectAccepted(await Promise.all(plain.map((field) => update('dishes/dish', { [field]: `of ${field}` }))));
    expect(await read('dishes/dish')).toMatchObject(Object.fromEntries(plain.map((field) => [field, `of ${field}`])));
  });
});

describe('concurrent updates of a large entry', () => {
  const fields = plain.slice(0, 20);
  it('concurrent updates of different fields of a large entry are all kept', async () => {
    await update('wide/heavy', { weight: 'x'.repeat(200_000) });
    expectAccepted(await Promise.all(fields.map((field) => update('wide/heavy', { [field]: `of ${field}` }))));
    expect(await read('wide/heavy')).toMatchObject(Object.fromEntries(fields.map((field) => [field, `of ${field}`])));
  });
});

describe('fields that were added after the entry', () => {
  const changed = {
    ...model,
    fields: [
      ...model.fields.slice(0, 3),
      localized('added'),
      localized('plainOnce'),
      ...later.slice(0, 40).map(localized),
    ],
  };
  beforeAll(() => load({ version: 1, workspace: kitchen.document.workspace, cms: { models: [changed] } }));

  it('are null, and accept values', async () => {
    expect(await read('wide/later')).toMatchObject({ added: null, later_0: null });
    expect((await update('wide/later', { added: { ar: null } })).json.added).toBeNull();
    expect((await update('wide/later', { added: { ar: 'x' } })).json.added).toEqual({ ar: 'x' });
    expect((await update('wide/later', { added: { en: 'y' }, later_1: { en: 'z' } })).json).toMatchObject({
      added: { en: 'y', ar: 'x' },
      later_1: { en: 'z' },
    });
    expect((await update('wide/later', { later_2: null })).json.later_2).toBeNull();
  });

  it('keep each of 100 concurrent updates of one field', async () => {
    const writes = languages.flatMap((language) => Array.from({ length: 10 }, () => language));
    expectAccepted(
      await Promise.all(writes.map((language) => update('wide/languages', { added: { [language]: language } }))),
    );
    expect((await read('wide/languages')).added).toEqual(
      Object.fromEntries(languages.map((language) => [language, language])),
    );
  });

  it('keep each of many concurrent updates of many fields', async () => {
    const fields = later.slice(0, 40);
    expectAccepted(await Promise.all(fields.map((field) => update('wide/parents', { [field]: { en: field } }))));
    expect(await read('wide/parents')).toMatchObject(Object.fromEntries(fields.map((field) => [field, { en: field }])));
  });
});

describe('concurrent removals', () => {
  it.each([1, 2, 3, 4, 5])(
    'concurrent removals of the last two languages of a required field leave one language (round %d)',
    async () => {
      expect((await update('wide/last', { title: { en: 'x', ar: 'س' } })).status).toBe(200);
      const answers = await Promise.all([
        update('wide/last', { title: { en: null } }),
        update('wide/last', { title: { ar: null } }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      const refused = answers.find(({ status }) => status === 400);
      expect(refused?.json.errors).toEqual([
        { path: 'values.title', code: 'required', message: expect.stringMatching(/ .*\.$/) },
      ]);
      expect(Object.keys((await read('wide/last')).title)).toHaveLength(1);
    },
  );

  it('concurrent removals of all ten languages of a required field leave one language', async () => {
    expect(
      (await update('wide/last', { title: Object.fromEntries(languages.map((language) => [language, 'x'])) })).status,
    ).toBe(200);
    const answers = await Promise.all(
      languages.map((language) => update('wide/last', { title: { [language]: null } })),
    );
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(Object.keys((await read('wide/last')).title)).toHaveLength(1);
  });
});

describe('one update of every field and language', () => {
  it('is stored as a whole', async () => {
    const title = Object.fromEntries(languages.map((language) => [language, `title ${language}`]));
    const { status, json } = await update('wide/whole', { title, about: title, weight: 'w', published: false });
    expect(status).toBe(200);
    expect(json).toMatchObject({ title, about: title, weight: 'w', published: false });
  });
});
