import { beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { type Document, load } from '#test/support/world.ts';

const languages = ['en', 'ar', 'fr', 'en-GB'];
let kitchen: Workspace;
let random = 20_261_122;
/** The same numbers in every run. */
const next = (below: number) => {
  random = (random * 48_271) % 2_147_483_647;
  return random % below;
};
const pick = <Of>(of: readonly Of[]): Of => of[next(of.length)] as Of;

/** Some languages, some of them blank, sometimes none. */
const texts = () =>
  Object.fromEntries(
    languages.flatMap((language) =>
      next(2) ? [[language, pick(['', ' \n', `${language} ${next(99)}`, '"\\ ‮é'])]] : [],
    ),
  );
/** The same with text in one language. */
const nameTexts = () => ({ ...texts(), [pick(languages)]: `name ${next(99)}` });
const textsOrNull = () => (next(4) ? texts() : null);
const image = (id: string) => ({ id, url: `/${id}.png`, alt: textsOrNull(), width: null, height: null });

const notes = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `note_${index}`,
    modelId: 'notes',
    published: index % 5 !== 0,
    values: {
      title: texts(),
      body: textsOrNull(),
      rich: texts(),
      plain: 'plain',
      data: { en: 'data', ar: { en: 'data' }, list: [{ fr: 'data' }] },
      picture: image('one'),
      pictures: [image('two'), image('three')],
      to: `note_${next(count)}`,
      many: [0, 1, 2].map(() => `note_${next(count)}`).filter((id, index, all) => all.indexOf(id) === index),
      dish: `dish_${next(6)}`,
    },
  }));

const field = (key: string, type: string, rest: object = {}) => ({ key, name: { en: key }, type, ...rest });
const relation = (key: string, to: string, many = false) => field(key, 'relation', { relation: { to, many } });

const dish = (index: number) => ({
  id: `dish_${index}`,
  slug: `dish-${index}`,
  name: nameTexts(),
  intro: textsOrNull(),
  description: textsOrNull(),
  priceOptions: [
    { id: 'small', price: 1, name: nameTexts() },
    { id: 'plain', price: index },
  ],
  thumbnail: next(2) ? image('small') : null,
  images: [image('first'), image('second')],
  suggestions: ['dish_0', 'dish_1'],
  categoryId: `cat_${index % 2}`,
  optionSets: [
    {
      id: 'set',
      name: nameTexts(),
      options: [
        { id: 'a', name: nameTexts(), price: 0 },
        { id: 'b', name: nameTexts(), price: 2 },
      ],
    },
  ],
  nutritionFacts: { allergens: ['nuts'], dietary: [] },
});

const form = () => ({
  id: 'form_1',
  slug: 'contact',
  title: nameTexts(),
  fields: [
    {
      id: 'f1',
      ref: 'name',
      title: nameTexts(),
      type: 'TEXT',
      order: 2,
      validations: { required: true, message: texts() },
    },
    {
      id: 'f2',
      ref: 'size',
      title: nameTexts(),
      type: 'SELECT',
      order: 1,
      validations: {
        options: [
          { value: 's', label: texts() },
          { value: 'm', label: texts() },
        ],
      },
    },
  ],
});

beforeAll(async () => {
  kitchen = await openWorkspace('kitchen', (document: Document) => {
    document.workspace.languages = languages;
    document.cms.models.push({
      id: 'notes',
      name: { en: 'Notes' },
      fields: [
        field('title', 'text', { localized: true }),
        field('body', 'longText', { localized: true }),
        field('rich', 'richText', { localized: true }),
        field('plain', 'text'),
        field('data', 'json'),
        field('picture', 'media'),
        field('pictures', 'media', { many: true }),
        relation('to', 'cms:notes'),
        relation('many', 'cms:notes', true),
        relation('dish', 'menu:product'),
      ],
    });
    document.cms.entries.push(...notes(12));
    document.menu.products.push(...Array.from({ length: 6 }, (_, index) => dish(index)));
    document.menu.categories.push(
      ...[0, 1]
        .map((index) => ({
          id: `cat_${index}`,
          slug: `cat-${index}`,
          name: nameTexts(),
          description: textsOrNull(),
          thumbnail: image('t'),
          smallThumbnail: image('s'),
          showcase: null,
        }))
        .slice(0, 1),
    );
    document.menu.categories.find(({ id }: { id: string }) => id === 'cat_1').name = nameTexts();
    document.forms.push(form());
  });
});

const get = (address: string, key = kitchen.keys.editor, headers = {}) => {
  const isInQuery = !address.startsWith('cms/');
  const path = isInQuery ? `${address}${address.includes('?') ? '&' : '?'}apiKey=${key}` : address;
  return call(`GET /api/public/${path}`, { ...(!isInQuery && { key }), headers });
};

const translated = new Set(['title', 'body', 'rich', 'alt', 'name', 'intro', 'description', 'label', 'message', 'bio']);

/** The expected answer in one language: every object of languages becomes a text, except in json fields. */
function projected(value: unknown, chain: readonly string[], name = ''): unknown {
  if (name === 'data' && typeof value === 'object' && !Array.isArray(value)) return value;
  if (Array.isArray(value)) return value.map((item) => projected(item, chain));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  if (!translated.has(name)) return Object.fromEntries(members.map(([key, own]) => [key, projected(own, chain, key)]));
  const found = chain.map((language) => (value as Record<string, string>)[language]).find((text) => text?.trim());
  return found ?? null;
}

const addresses = [
  'cms/notes/list?maxDepth=0',
  'cms/notes/list?maxDepth=3&limit=12',
  'cms/notes/list?fields=title,to(rich,many(body,dish(name,images))),dish(suggestions)&maxDepth=4',
  'cms/notes/note_1?maxDepth=2',
  'cms/chefs/list?includeHidden=true',
  'menu/products?limit=100',
  'menu/products?includeCmsData=false&sortBy=name&search=1',
  'menu/categories?includeProducts=true',
  'forms/contact',
];

/** One of each endpoint. */
const endpoints = [0, 3, 5, 7, 8].map((index) => addresses[index] as string);

const locales: readonly (readonly [query: string, chain: readonly string[]])[] = [
  ['locale=en', ['en']],
  ['locale=ar&fallback=en', ['ar', 'en']],
  ['locale=en-GB&fallback=en,*', ['en-GB', 'en', 'ar', 'fr']],
  ['locale=fr&fallback=*', ['fr', ...languages]],
  ['locale=fr&fallback=%20ar%20,,ar,', ['fr', 'ar']],
  ['locale=en-GB&fallback=en&fallback=&fallback=ar,*', ['en-GB', 'en', 'ar', 'fr']],
];

describe('an answer in one language', () => {
  it.each(addresses)(
    'an answer in one language of %s is the whole answer with one text for each object of languages',
    async (address) => {
      const whole = await get(address);
      expect(whole.status).toBe(200);
      // Some a second time: the cache of one language must not appear in another.
      for (const [query, chain] of [...locales, ...locales.slice(0, 2)]) {
        const answer = await get(`${address}${address.includes('?') ? '&' : '?'}${query}`);
        // As texts, which are compared much faster than objects.
        expect([query, answer.status, answer.text]).toEqual([query, 200, JSON.stringify(projected(whole.json, chain))]);
        expect(answer.headers['content-language']).toBe(chain[0]);
      }
      const again = await get(address);
      expect([again.text, again.headers['etag']]).toEqual([whole.text, whole.headers['etag']]);
      expect(again.headers).not.toHaveProperty('content-language');
    },
  );

  it.each(endpoints)(
    'an answer in one language of %s is the whole answer with locale=* and with only a fallback',
    async (address) => {
      const whole = await get(address);
      for (const query of ['locale=*', 'locale=*&fallback=en', 'fallback=en,*', 'locale=']) {
        const answer = await get(`${address}${address.includes('?') ? '&' : '?'}${query}`);
        expect([query, answer.text]).toEqual([query, whole.text]);
        expect(answer.headers).not.toHaveProperty('content-language');
      }
    },
  );

  it.each(endpoints)('an answer in one language of %s is the same for every case of the language', async (address) => {
    const separator = address.includes('?') ? '&' : '?';
    const own = await get(`${address}${separator}locale=ar&fallback=en`);
    const other = await get(`${address}${separator}locale=Ar&fallback=EN`);
    expect([other.status, other.text, other.headers['content-language']]).toEqual([200, own.text, 'ar']);
  });

  it.each(endpoints)('an answer in one language of %s is refused for an unknown language (400)', async (address) => {
    const separator = address.includes('?') ? '&' : '?';
    for (const [query, paths] of [
      ['locale=de', ['locale']],
      ['locale=EN-US', ['locale']],
      ['locale=en%20', ['locale']],
      ['locale=__proto__', ['locale']],
      ['locale=en&fallback=en,de', ['fallback']],
      ['fallback=constructor', ['fallback']],
      ['locale=de&fallback=de', ['locale', 'fallback']],
      ['locale=*&fallback=xx', ['fallback']],
    ] as const) {
      const { status, json } = await get(`${address}${separator}${query}`);
      const found = json.errors?.map(({ path }: { path: string }) => path);
      expect([query, status, json.code, found]).toEqual([query, 400, 'invalid_query', paths]);
    }
    const repeated = await get(`${address}${separator}locale=en&locale=en`);
    expect([repeated.status, repeated.json.errors[0]]).toMatchObject([400, { path: 'locale', code: 'repeated' }]);
  });

  it('reports an unknown language together with unknown fields', async () => {
    const { json } = await get('cms/notes/list?locale=de&fields=nope');
    expect(json.code).toBe('invalid_query');
    expect(json.errors.map(({ path }: { path: string }) => path)).toEqual(['locale', 'fields.nope']);
  });

  it('reports an unknown database first (404)', async () => {
    expect((await get('cms/nothing/list?locale=de')).status).toBe(404);
    expect((await get('forms/nothing?locale=en')).status).toBe(404);
  });
});

describe('ETags', () => {
  it.each(endpoints.filter((address) => !address.includes('note_1')))(
    'ETags of %s differ by language',
    async (address) => {
      const separator = address.includes('?') ? '&' : '?';
      const queries = ['', ...['en', 'ar', 'fr'].map((language) => `${separator}locale=${language}`)];
      const answers = await Promise.all(queries.map((query) => get(`${address}${query}`)));
      const tags = answers.map(({ headers }) => String(headers['etag']));
      expect(new Set(tags).size).toBe(4);
      for (const [index, query] of queries.entries()) {
        const unchanged = await get(`${address}${query}`, undefined, { 'if-none-match': tags[index] });
        const changed = await get(`${address}${query}`, undefined, { 'if-none-match': tags[(index + 1) % 4] });
        expect([unchanged.status, changed.status]).toEqual([304, 200]);
      }
    },
  );

  it('ETags of one entry are the same in every language, and match If-Match', async () => {
    const answers = await Promise.all(
      ['', '?locale=ar', '?locale=fr&fallback=*'].map((query) => get(`cms/notes/note_2${query}`)),
    );
    const tags = answers.map(({ headers }) => String(headers['etag']));
    expect(new Set(tags).size).toBe(1);
    const change = {
      key: kitchen.keys.editor,
      body: { values: { plain: 'new' } },
      headers: { 'if-match': String(tags[1]) },
    };
    expect((await call('PATCH /api/public/cms/notes/note_2', change)).status).toBe(200);
    expect((await call('PATCH /api/public/cms/notes/note_2', change)).status).toBe(412);
  });
});

describe('an update', () => {
  it.each(['PATCH', 'PUT'])('by %s is refused with locale or fallback (400), and changes nothing', async (method) => {
    const before = await get('cms/notes/note_3');
    for (const [query, path] of [
      ['locale=en', 'locale'],
      ['locale=*', 'locale'],
      ['fallback=en', 'fallback'],
    ] as const) {
      const request = { key: kitchen.keys.editor, body: { values: { plain: 'other' } } };
      const { status, json } = await call(`${method} /api/public/cms/notes/note_3?${query}`, request);
      expect([status, json.code, json.errors[0].path]).toEqual([400, 'invalid_query', path]);
    }
    expect((await get('cms/notes/note_3')).text).toBe(before.text);
    const empty = { key: kitchen.keys.editor, body: { values: {} } };
    expect((await call(`${method} /api/public/cms/notes/note_3?locale=`, empty)).status).toBe(200);
  });

  it('of a text appears immediately in every language that was read before', async () => {
    const read = async () => {
      const answers = await Promise.all(
        ['en', 'ar'].map((language) => get(`cms/notes/note_4?fields=title&locale=${language}`)),
      );
      return answers.map(({ json }) => json.title);
    };
    for (const count of [1, 2, 3]) {
      const values = { title: { en: `Title ${count}`, ar: `عنوان ${count}` } };
      await call('PATCH /api/public/cms/notes/note_4', { key: kitchen.keys.editor, body: { values } });
      expect(await read()).toEqual([`Title ${count}`, `عنوان ${count}`]);
    }
  });
});

describe('the languages of the workspace', () => {
  it('apply in their current form and order', async () => {
    const { workspace } = kitchen.document;
    const name = { ar: 'عربي', fr: 'français' };
    const product = { ...dish(5), id: 'dish_5', name };
    await load({ version: 1, workspace, menu: { products: [product] } });
    const read = () => get('menu/products?ids=dish_5&locale=en&fallback=*&includeCmsData=false');
    const before = await read();
    expect(before.json.data[0].name).toBe('عربي');
    await load({ version: 1, workspace: { ...workspace, languages: ['en', 'fr', 'ar', 'en-GB'] } });
    const after = await get('menu/products?ids=dish_5&locale=en&fallback=*&includeCmsData=false', undefined, {
      'if-none-match': String(before.headers['etag']),
    });
    expect([after.status, after.json.data[0].name]).toEqual([200, 'français']);
  });
});
