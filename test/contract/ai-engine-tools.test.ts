import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { callTool, toolsOf } from '#test/support/demo-tools.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

let demo: Workspace<'demo'>;
beforeAll(async () => {
  demo = await openWorkspace('demo');
});

const idsIn = ({ json }: { json: { results: { id: string }[] } }): string[] => json.results.map(({ id }) => id);

describe('search_menu', () => {
  it('finds products by name and text, the best match first', async () => {
    const { json, citations } = await callTool(demo, 'search_menu', { query: 'lamb kabsa' });
    expect(json.total).toBe(1);
    expect(json.results).toEqual([
      {
        id: 'prod_lamb_kabsa',
        name: 'Lamb kabsa',
        category: 'From the rice pot',
        intro: expect.any(String),
        prices: [
          { price: 58, name: 'For one' },
          { price: 109, name: 'For two' },
          { price: 205, name: 'Family, serves four' },
        ],
        currency: 'SAR',
        soldOut: false,
        preparationMinutes: 25,
        dietary: ['HALAL', 'DAIRY_FREE', 'GLUTEN_FREE'],
        match: 1,
        named: true,
      },
    ]);
    expect(citations).toEqual([{ kind: 'product', id: 'prod_lamb_kabsa' }]);
  });

  it('answers in the language of the reply', async () => {
    const { json } = await callTool(demo, 'search_menu', { query: 'kabsa' }, { language: 'ar' });
    expect(json.results[0]).toMatchObject({ name: 'كبسة لحم', category: 'أطباق الأرز' });
  });

  it.each(['cat_desserts', 'desserts', 'Desserts', 'الحلويات'])('lists a category: %s', async (category) => {
    const { json } = await callTool(demo, 'search_menu', { category });
    expect(json.total).toBe(5);
    expect(json.results.every((result: { category: string }) => result.category === 'Desserts')).toBe(true);
  });

  it('filters by price and labels', async () => {
    const { json } = await callTool(demo, 'search_menu', { diet: 'vegan', maxPrice: 20 });
    expect(json.results.map(({ name }: { name: string }) => name).sort()).toEqual(['Ful medames', 'Red lentil soup']);
  });

  it('reports sold-out products', async () => {
    const soldOut = (await callTool(demo, 'search_menu', { soldOut: true })).json;
    const rest = (await callTool(demo, 'search_menu', { soldOut: false })).json;
    expect(soldOut.results.map((result: { soldOut: boolean }) => result.soldOut)).not.toContain(false);
    expect(rest.results.map((result: { soldOut: boolean }) => result.soldOut)).not.toContain(true);
    expect(soldOut.total + rest.total).toBe((await callTool(demo, 'search_menu', {})).json.total);
  });

  it('never shows unpublished records', async () => {
    for (const query of ['qursan', 'balaleet', 'ice cream', 'hashi']) {
      expect(idsIn(await callTool(demo, 'search_menu', { query }))).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/qursan|balaleet|ice_cream|hashi/)]),
      );
    }
    expect((await callTool(demo, 'get_product', { id: 'prod_qursan' })).json).toEqual({
      error: 'There is no such product.',
    });
  });
});

describe('get_product', () => {
  it.each(['prod_jareesh', 'jareesh'])('describes one product, found by id or slug: %s', async (id) => {
    const { json, citations } = await callTool(demo, 'get_product', { id });
    expect(json).toMatchObject({ name: 'Jareesh', nutrition: { calories: 480 }, allergens: ['GLUTEN', 'MILK'] });
    expect(citations).toEqual([{ kind: 'product', id: 'prod_jareesh' }]);
  });
});

describe('list_categories', () => {
  it('lists all categories, with their numbers of published products', async () => {
    const { json } = await callTool(demo, 'list_categories', {});
    expect(json.results).toHaveLength(8);
    expect(json.results.find(({ id }: { id: string }) => id === 'cat_desserts')).toMatchObject({
      name: 'Desserts',
      productsCount: 5,
    });
  });
});

describe('search_cms for an agent that may read some databases', () => {
  const search = (query: string, model: string, databases?: string[]) =>
    callTool(demo, 'search_cms', { query, model }, databases ? { agent: { databases } } : {});

  it('finds entries of these databases only', async () => {
    const inAny = await callTool(demo, 'search_cms', { query: 'kabsa' });
    const inOffers = await callTool(demo, 'search_cms', { query: 'kabsa' }, { agent: { databases: ['offers'] } });
    const modelsOf = ({ json }: typeof inAny) => [
      ...new Set(json.results.map(({ modelId }: { modelId: string }) => modelId)),
    ];
    expect(modelsOf(inAny).length).toBeGreaterThan(1);
    expect(modelsOf(inOffers)).toEqual(['offers']);
  });

  it.each([
    ['a list without it', ['chefs']],
    ['an empty list', []],
    ['names of no database', ['__proto__', 'cms:locations', 'Locations']],
  ])('finds nothing in a database with %s', async (_, databases) => {
    expect(idsIn(await search('Diriyah', 'locations', databases))).toEqual([]);
    expect(idsIn(await search('', 'locations', databases))).toEqual([]);
    expect(idsIn(await search('', 'locations'))).not.toEqual([]);
  });

  it('does not name related records of another database', async () => {
    const open = await search('', 'locations');
    const limited = await search('', 'locations', ['locations']);
    const manager = (answer: typeof open) =>
      answer.json.results.map(
        ({ fields }: { fields: { key: string; value: string }[] }) =>
          fields.find(({ key }) => key === 'manager')?.value,
      );
    expect(manager(open)).toContain('Yousef Haddad');
    expect(idsIn(limited)).toEqual(idsIn(open));
    expect(new Set(manager(limited))).toEqual(new Set([undefined]));
  });
});

describe('search_cms', () => {
  it('finds entries and shows their visible fields, with opening hours in words', async () => {
    const { json, citations } = await callTool(demo, 'search_cms', { query: 'Diriyah opening hours' });
    expect(json.results[0]).toMatchObject({ id: 'loc_diriyah', modelId: 'locations', title: 'Riyadh, Diriyah' });
    expect(json.results[0].fields).toContainEqual({
      key: 'openingHours',
      name: 'Opening hours',
      value: 'Sunday to Thursday, Saturday 12:00–01:00; Friday 13:00–01:00 (Terrace closed in rain)',
      relevant: true,
    });
    expect(citations[0]).toEqual({ kind: 'entry', modelId: 'locations', id: 'loc_diriyah' });
  });

  it('names related entries', async () => {
    const { json } = await callTool(demo, 'search_cms', { query: 'Olaya', model: 'locations' });
    expect(json.results[0].fields).toContainEqual(
      expect.objectContaining({ key: 'manager', value: 'Noura Al-Qahtani' }),
    );
  });

  it('names related products that are published', async () => {
    const { json } = await callTool(demo, 'search_cms', { query: 'National Day kabsa', model: 'offers' });
    expect(json.results[0].fields).toContainEqual(
      expect.objectContaining({ key: 'products', value: 'Lamb kabsa, Chicken mandi' }),
    );
    expect((await callTool(demo, 'search_cms', { query: 'Dishes of all offers' })).output).not.toMatch(/hashi|Qursan/);
  });

  it('never shows hidden fields or unpublished records', async () => {
    const hidden = ['privateNotes', '110 20', 'Visa', 'chef_tariq', 'loc_madinah'];
    for (const text of hidden) expect(JSON.stringify(demo.document)).toContain(text);
    for (const query of [
      'Noura',
      'Mariam visa renewal',
      'Tariq Mansour',
      'Madinah',
      'private notes',
      '+966 50 110 2014',
    ]) {
      const { output } = await callTool(demo, 'search_cms', { query });
      expect(hidden.filter((text) => output.includes(text))).toEqual([]);
    }
  });

  it('finds an updated value in the next reply', async () => {
    const secret = `editor-${randomUUID()}`;
    const permissions = ['cms:entry:read', 'cms:entry:update'];
    const room = await openWorkspace('demo', ({ apiKeys }) => {
      apiKeys.push({ id: 'key_editor', name: 'Editor', secret, permissions });
    });
    const update = async (body: object) => {
      const answer = await call('PATCH /api/public/cms/topics/topic_seasons', { key: secret, body });
      expect(answer.status).toBe(200);
    };
    expect(idsIn(await callTool(room, 'search_cms', { query: 'quinces' }))).toEqual([]);
    await update({ values: { summary: { en: 'Quinces and pomegranates.' } } });
    expect(idsIn(await callTool(room, 'search_cms', { query: 'quinces' }))).toEqual(['topic_seasons']);
    await update({ values: { published: false } });
    expect(idsIn(await callTool(room, 'search_cms', { query: 'seasons', model: 'topics' }))).toEqual([]);
  });
});

describe('get_form', () => {
  it('lists the fields of a form', async () => {
    const { json, citations } = await callTool(demo, 'get_form', { slug: 'reservation' });
    expect(json.results[0]).toMatchObject({ slug: 'reservation', title: 'Book a table' });
    expect(json.results[0].fields[0]).toEqual({ ref: 'name', title: 'Name', required: true });
    expect(citations).toEqual([{ kind: 'form', id: 'form_reservation' }]);
  });

  it('lists enabled forms only', async () => {
    expect(idsIn(await callTool(demo, 'get_form', {})).sort()).toEqual(['form_contact', 'form_reservation']);
    expect(idsIn(await callTool(demo, 'get_form', { slug: 'catering' }))).toEqual([]);
  });
});

describe('every tool', () => {
  it.each(['search_menu', 'get_product', 'list_categories', 'search_cms', 'get_form'])(
    'answers an error for malformed input: %s',
    async (name) => {
      for (const input of [
        'text',
        7,
        null,
        [],
        { query: { $ne: 1 }, id: 5, slug: {} },
        { id: 'x'.repeat(1_000), slug: 'x'.repeat(1_000), query: 5 },
      ]) {
        const { output } = await (await toolsOf(demo)).call({ id: '1', name, input });
        expect(JSON.parse(output)).toEqual({ error: expect.any(String) });
      }
    },
  );

  it('reads only the workspace of the reply', async () => {
    const other = await openWorkspace('demo', (document) => {
      document.menu.products = [];
      document.cms.entries = [];
      document.forms = [];
      document.formResponses = [];
      document.notifications = [];
    });
    for (const name of ['search_menu', 'search_cms', 'get_form']) {
      const input = { query: 'kabsa contact saffron', workspaceId: demo.workspaceId, workspace: demo.workspaceId };
      expect((await callTool(other, name, input)).json).toMatchObject({ results: [], total: 0 });
    }
    const { json } = await callTool(other, 'get_product', { id: 'prod_lamb_kabsa' });
    expect(json).toEqual({ error: 'There is no such product.' });
  });

  it('takes null as an absent parameter', async () => {
    const input = { query: 'kabsa', category: null, maxPrice: null, diet: '' };
    expect(idsIn(await callTool(demo, 'search_menu', input))).toContain('prod_lamb_kabsa');
  });

  it('is absent for an agent that may not use it', async () => {
    const toolbox = await toolsOf(demo, { agent: { tools: ['search_menu'] } });
    expect(toolbox.definitions.map(({ name }) => name)).toEqual(['search_menu']);
    const { output } = await toolbox.call({ id: '1', name: 'search_cms', input: { query: 'Olaya' } });
    expect(JSON.parse(output)).toEqual({ error: 'There is no such tool.' });
  });

  it('describes its input as JSON Schema', async () => {
    for (const { inputSchema } of (await toolsOf(demo)).definitions) {
      expect(inputSchema).toMatchObject({ type: 'object', properties: expect.any(Object) });
      expect(JSON.stringify(inputSchema)).not.toMatch(/workspace|anyOf|null/);
    }
  });

  it('shortens its answers, however long the texts are', async () => {
    // Each text alone is longer than an answer.
    const long = 'words and words '.repeat(500);
    const { workspaceId, document } = await openWorkspace('demo', (changed) => {
      for (const product of changed.menu.products) {
        product.intro = { en: long };
        product.description = { en: long };
        product.name = { en: `${product.name.en} ${long}` };
      }
      for (const entry of changed.cms.entries) if (entry.modelId === 'articles') entry.values.body = { en: long };
    });
    expect(document.workspace.id).toBe(workspaceId);
    for (const [name, input] of [
      ['search_menu', { query: 'words' }],
      ['get_product', { id: 'prod_lamb_kabsa' }],
      ['search_cms', { query: 'words' }],
    ] as const) {
      expect((await callTool({ workspaceId }, name, input)).output.length).toBeLessThanOrEqual(6_500);
    }
  });
});

it('the next reply of an agent shows the changes of an import', async () => {
  const changing = await openWorkspace('demo');
  await callTool(changing, 'search_menu', { query: 'kabsa' });
  const [product] = changing.document.menu.products.filter(({ id }: { id: string }) => id === 'prod_lamb_kabsa');
  await load({
    version: 1,
    workspace: changing.document.workspace,
    menu: { products: [{ ...product, name: { en: 'Camel kabsa' }, priceOptions: [{ id: 'po', price: 61 }] }] },
  });
  const { json } = await callTool(changing, 'search_menu', { query: 'camel' });
  expect(json.results[0]).toMatchObject({ id: 'prod_lamb_kabsa', name: 'Camel kabsa', prices: [{ price: 61 }] });
});
