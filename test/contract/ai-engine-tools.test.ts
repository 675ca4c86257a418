import { beforeAll, describe, expect, it } from '@jest/globals';
import { CmsEntries } from '#lib/table/cms-entries.ts';
import { callTool, type Demo, openDemo, toolsOf } from '../support/demo-tools.ts';
import { load, testTable } from '../support/world.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await openDemo();
});

const idsIn = ({ json }: { json: { results: { id: string }[] } }): string[] => json.results.map(({ id }) => id);

describe('search_menu', () => {
  it('finds products by their names and texts, the best first', async () => {
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
    expect(json.results.every((one: { category: string }) => one.category === 'Desserts')).toBe(true);
  });

  it('keeps to prices and labels', async () => {
    const { json } = await callTool(demo, 'search_menu', { diet: 'vegan', maxPrice: 20 });
    expect(json.results.map(({ name }: { name: string }) => name).sort()).toEqual(['Ful medames', 'Red lentil soup']);
  });

  it('tells what is sold out', async () => {
    const soldOut = (await callTool(demo, 'search_menu', { soldOut: true })).json;
    const rest = (await callTool(demo, 'search_menu', { soldOut: false })).json;
    expect(soldOut.results.map((one: { soldOut: boolean }) => one.soldOut)).not.toContain(false);
    expect(rest.results.map((one: { soldOut: boolean }) => one.soldOut)).not.toContain(true);
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
  it.each(['prod_jareesh', 'jareesh'])('tells everything about one, by id or slug: %s', async (id) => {
    const { json, citations } = await callTool(demo, 'get_product', { id });
    expect(json).toMatchObject({ name: 'Jareesh', nutrition: { calories: 480 }, allergens: ['GLUTEN', 'MILK'] });
    expect(citations).toEqual([{ kind: 'product', id: 'prod_jareesh' }]);
  });
});

describe('list_categories', () => {
  it('lists all, with the number of published products', async () => {
    const { json } = await callTool(demo, 'list_categories', {});
    expect(json.results).toHaveLength(8);
    expect(json.results.find(({ id }: { id: string }) => id === 'cat_desserts')).toMatchObject({
      name: 'Desserts',
      productsCount: 5,
    });
  });
});

describe('search_cms', () => {
  it('finds entries and tells their visible fields, opening hours in words', async () => {
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
    for (const query of [
      'Noura',
      'Mariam visa renewal',
      'Tariq Mansour',
      'Madinah',
      'private notes',
      '+966 50 110 2014',
    ]) {
      const { output } = await callTool(demo, 'search_cms', { query });
      expect(output).not.toMatch(/privateNotes|110 20|Visa|chef_tariq|loc_madinah/);
    }
  });

  it('knows of an update with the next reply', async () => {
    const entries = new CmsEntries(testTable(), demo);
    const before = await entries.find('topics', 'topic_seasons');
    if (!before) throw new Error('The demo has lost a topic.');
    expect(idsIn(await callTool(demo, 'search_cms', { query: 'quinces' }))).toEqual([]);
    const summary = { en: 'Quinces and pomegranates.' };
    const values = new Map(Object.entries({ summary }));
    await testTable().put({ ...before, values: { ...before.values, ...Object.fromEntries(values) }, revision: 'r2' });
    expect(idsIn(await callTool(demo, 'search_cms', { query: 'quinces' }))).toEqual(['topic_seasons']);
    await testTable().put({ ...before, published: false, revision: 'r3' });
    expect(idsIn(await callTool(demo, 'search_cms', { query: 'seasons', model: 'topics' }))).toEqual([]);
    await testTable().put(before);
  });
});

describe('get_form', () => {
  it('tells which fields a form has', async () => {
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

describe('all tools', () => {
  it.each(['search_menu', 'get_product', 'list_categories', 'search_cms', 'get_form'])(
    '%s refuses nonsense as an answer',
    async (name) => {
      for (const input of [
        'text',
        7,
        null,
        [],
        { query: { $ne: 1 }, id: 5, slug: {} },
        { id: 'x'.repeat(1_000), slug: 'x'.repeat(1_000), query: 5 },
      ]) {
        const { output } = await toolsOf(demo).call({ id: '1', name, input });
        expect(JSON.parse(output)).toEqual({ error: expect.any(String) });
      }
    },
  );

  it('know no workspace but the one they are made for', async () => {
    const other = await openDemo((document) => {
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

  it('take null for what is left out', async () => {
    const input = { query: 'kabsa', category: null, maxPrice: null, diet: '' };
    expect(idsIn(await callTool(demo, 'search_menu', input))).toContain('prod_lamb_kabsa');
  });

  it('that an agent may not use do not exist for it', async () => {
    const toolbox = toolsOf(demo, { allowed: ['search_menu'] });
    expect(toolbox.definitions.map(({ name }) => name)).toEqual(['search_menu']);
    const { output } = await toolbox.call({ id: '1', name: 'search_cms', input: { query: 'Olaya' } });
    expect(JSON.parse(output)).toEqual({ error: 'There is no such tool.' });
  });

  it('tell their inputs as JSON Schema', () => {
    for (const { inputSchema } of toolsOf(demo).definitions) {
      expect(inputSchema).toMatchObject({ type: 'object', properties: expect.any(Object) });
      expect(JSON.stringify(inputSchema)).not.toMatch(/workspace|anyOf|null/);
    }
  });

  it('answer briefly, however long the texts are', async () => {
    const long = 'words and words '.repeat(3_000);
    const { workspaceId, document } = await openDemo((changed) => {
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

describe('a large menu', () => {
  it('is known by names beyond its first 5,000 products', async () => {
    const large = await openDemo((document) => {
      document.menu.products = Array.from({ length: 5_200 }, (_, index) => ({
        id: `p_${String(index).padStart(5, '0')}`,
        slug: `p-${index}`,
        name: { en: `Plate zq${index}x` },
        intro: { en: `With sauce vk${index}y` },
        priceOptions: [{ id: 'po', price: 10 + index }],
        categoryId: 'cat_rice',
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-01T00:00:00.000Z',
      }));
      for (const entry of document.cms.entries)
        for (const key of ['signature', 'products']) if (entry.values[key]) entry.values[key] = [];
      document.cms.entries = document.cms.entries.filter(({ modelId }: { modelId: string }) => modelId !== 'pairings');
    });
    expect(idsIn(await callTool(large, 'search_menu', { query: 'zq5150x' }))).toEqual(['p_05150']);
    expect(idsIn(await callTool(large, 'search_menu', { query: 'sauce vk4000y' }))).toContain('p_04000');
  }, 120_000);
});

describe('many entries', () => {
  it('are known by names beyond the first 5,000, and told as they are now', async () => {
    const large = await openDemo((document) => {
      const notes = Array.from({ length: 5_300 }, (_, index) => ({
        id: `note_${index}`,
        modelId: 'topics',
        createdAt: new Date(Date.UTC(2026, 5, 1) - index * 1_000).toISOString(),
        updatedAt: '2026-06-01T00:00:00.000Z',
        values: { name: { en: `Note zq${index}x` }, summary: { en: `About vk${index}y` } },
      }));
      document.cms.entries = document.cms.entries
        .filter(({ modelId }: { modelId: string }) => modelId !== 'topics')
        .concat(notes);
    });
    expect(idsIn(await callTool(large, 'search_cms', { query: 'zq5250x' }))).toEqual(['note_5250']);
    expect(idsIn(await callTool(large, 'search_cms', { query: 'vk4000y' }))).toEqual(['note_4000']);
    const entry = await new CmsEntries(testTable(), large).find('topics', 'note_7');
    if (!entry) throw new Error('The note is missing.');
    await testTable().put({ ...entry, values: { ...entry.values, summary: { en: 'Changed.' } }, revision: 'r2' });
    const { output } = await callTool(large, 'search_cms', { query: 'zq7x' });
    expect(output).toContain('Changed.');
    expect(output).not.toContain('vk7y');
    await testTable().put({ ...entry, published: false, revision: 'r3' });
    expect(idsIn(await callTool(large, 'search_cms', { query: 'zq7x' }))).toEqual([]);
  }, 120_000);
});

it('an import is known to the next reply', async () => {
  const changing = await openDemo();
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
