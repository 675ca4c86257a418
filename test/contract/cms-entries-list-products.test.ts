import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const option = (id: string, order: number) => ({ id, name: { en: id }, price: 1, order });
const set = (id: string, order: number) => ({
  id,
  name: { en: id },
  order,
  options: [option('late', 2), option('early', 1)],
});

const { canary, keys, workspaceId } = await openWorkspace('kitchen', ({ apiKeys, menu }) => {
  Object.assign(menu.products[0], {
    optionSets: [set('second', 2), set('first', 1)],
    thumbnail: { id: 'img_1', url: 'https://img.example/kabsa.png' },
    priceOptions: [{ id: 'po_1', price: 48.125 }],
  });
  const permissions = ['cms:entry:read', 'menu:product:read-unpublished'];
  apiKeys.push({ ...apiKeys[0], id: 'key_half', secret: `half-${apiKeys[0].secret}`, permissions });
});
const half = `half-reader-${workspaceId}`;
const text = (en: string, ar: string) => ({ en: `${en} ${canary}`, ar: `${ar} ${canary}` });

/** The products that the newest chef shows: one published, one unpublished, and one deleted. */
async function dishes(key: string, query = ''): Promise<Record<string, unknown>[]> {
  const { status, json } = await call(`GET /api/public/cms/chefs/list?limit=1&${query}`, { key });
  expect(status).toBe(200);
  return json[0].signature;
}

describe('a related product', () => {
  it('shows a product without cmsData, its category as id, slug and name', async () => {
    const [kabsa] = await dishes(keys.reader);
    expect(kabsa).toEqual({
      id: 'prod_1',
      slug: 'kabsa',
      barcode: null,
      name: text('Kabsa', 'كبسة'),
      intro: null,
      description: null,
      priceOptions: [{ id: 'po_1', price: 48.125 }],
      thumbnail: { id: 'img_1', url: 'https://img.example/kabsa.png', alt: null, width: null, height: null },
      images: [],
      published: true,
      soldout: false,
      preparationTime: null,
      nutritionFacts: null,
      suggestions: [{ id: 'prod_3', slug: 'tea', name: text('Tea', 'شاي') }],
      category: { id: 'cat_1', slug: 'mains', name: text('Mains', 'الأطباق') },
      optionSets: expect.any(Array),
      createdAt: '2026-01-02T00:00:00.000Z',
      updatedAt: '2026-01-02T00:00:00.000Z',
    });
  });

  it('shows its option sets and their options in order', async () => {
    const [kabsa] = await dishes(keys.reader, 'fields=signature(optionSets)');
    const sets = kabsa?.['optionSets'] as { id: string; options: { id: string }[] }[];
    expect(sets.map(({ id, options }) => [id, ...options.map((each) => each.id)])).toEqual([
      ['first', 'early', 'late'],
      ['second', 'early', 'late'],
    ]);
  });

  it('suggests published products only, even to a key that may see unpublished ones', async () => {
    const [kabsa] = await dishes(keys.chief, 'fields=signature(suggestions)');
    expect(kabsa).toEqual({ id: 'prod_1', suggestions: [expect.objectContaining({ id: 'prod_3' })] });
  });

  it('shows the selected members and its id', async () => {
    const [kabsa] = await dishes(keys.reader, 'fields=signature(slug,category)');
    expect(kabsa).toEqual({ id: 'prod_1', slug: 'kabsa', category: expect.objectContaining({ slug: 'mains' }) });
  });

  it('is an object with its id beyond the depth, without a read', async () => {
    const stubs = ['prod_1', 'prod_2', 'prod_gone'].map((id) => ({ id }));
    expect(await dishes(keys.chief, 'maxDepth=0')).toEqual(stubs);
  });

  it('is left out when it no longer exists', async () => {
    expect((await dishes(keys.chief)).map(({ id }) => id)).toEqual(['prod_1', 'prod_2']);
  });

  it('is an object with its id without menu:product:read, whatever the other permissions', async () => {
    for (const key of [keys.cmsOnly, half]) {
      const shown = await dishes(key, 'maxDepth=6');
      expect(shown.slice(0, 2)).toEqual([{ id: 'prod_1' }, { id: 'prod_2' }]);
      expect((await dishes(key, 'fields=signature(name,category)')).slice(0, 2)).toEqual(shown.slice(0, 2));
    }
  });

  it('is an object with its id when it is unpublished and the key may not see drafts', async () => {
    expect((await dishes(keys.reader))[1]).toEqual({ id: 'prod_2' });
    expect((await dishes(keys.reader, 'fields=signature(slug)'))[1]).toEqual({ id: 'prod_2' });
    expect((await dishes(keys.editor, 'includeHidden=true'))[1]).toEqual({ id: 'prod_2' });
  });

  it('is shown when it is unpublished and the key may see drafts', async () => {
    const [, draft] = await dishes(keys.chief);
    expect(draft).toMatchObject({ slug: 'unpublished', published: false, name: text('Draft', 'مسودة') });
  });

  it('accepts the same field names with any permissions', async () => {
    for (const key of [keys.chief, keys.cmsOnly]) {
      const { status, json } = await call('GET /api/public/cms/chefs/list?fields=signature(name,nope)', { key });
      expect(status).toBe(400);
      expect(json).toMatchObject({ code: 'unknown_field', errors: [{ path: 'fields.signature.nope' }] });
    }
  });
});
