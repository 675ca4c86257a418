import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { documentOf, openMenu, pageOf, product } from '#test/support/menu-kitchen.ts';
import { load } from '#test/support/world.ts';

const fields = [
  { key: 'title', name: {}, type: 'text', localized: true },
  { key: 'secret', name: {}, type: 'text', hidden: true },
  { key: 'dish', name: {}, type: 'relation', relation: { to: 'menu:product', many: false } },
  { key: 'dishes', name: {}, type: 'relation', relation: { to: 'menu:product', many: true } },
  { key: 'inside', name: {}, type: 'relation', relation: { to: 'menu:product', many: true }, hidden: true },
];
const numbered = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}_${index}`);
const entry = (id: string, values: object = {}, modelId = 'notes') => ({ id, modelId, values });

/** A kitchen with two products and, in one database, an entry that relates to the first and others to nothing. */
const openNotes = (others: readonly string[] = []) =>
  openMenu([product('tea'), product('rice')], ({ cms }) => {
    cms.models.push({ id: 'notes', name: {}, fields }, { id: 'empty', name: {}, fields });
    cms.entries.push(
      entry('related', { title: { en: 'before' }, dishes: ['tea'] }),
      entry('free', { title: { en: 'free' } }),
      ...others.map((id) => entry(id)),
    );
  });
type Notes = Awaited<ReturnType<typeof openNotes>>;

/** An update as a client makes it that does what 503 asks for. */
async function update(kitchen: Notes, id: string, values: object, tries = 10): Promise<void> {
  const { status, text } = await call(`PATCH /api/public/cms/notes/${id}`, {
    key: kitchen.keys.chief,
    body: { values },
  });
  if (status === 503 && tries > 1) return update(kitchen, id, values, tries - 1);
  if (status !== 200) throw new Error(`${status}: ${text}`);
}

/** What the list shows of the notes of a product, by id: their English titles. */
async function notesOf(kitchen: Notes, productId: string): Promise<Record<string, string>> {
  const { data } = await pageOf('products', kitchen.keys.reader, { ids: productId });
  const notes: { id: string; title: { en: string } | null }[] = data[0].cmsData.notes ?? [];
  return Object.fromEntries(notes.map(({ id, title }) => [id, title?.en ?? '']));
}

describe('the very next answer after an update of an entry', () => {
  it('shows a text that was changed', async () => {
    const kitchen = await openNotes();
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'before' });
    await update(kitchen, 'related', { title: { en: 'after' } });
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'after' });
    const { data } = await pageOf('products', kitchen.keys.reader, 'ids=tea');
    const entryNow = await call('GET /api/public/cms/notes/related?maxDepth=0', { key: kitchen.keys.reader });
    expect(data[0].cmsData.notes).toEqual([entryNow.json]);
  });

  it.each([
    ['one', { dish: 'tea' }, { dish: null }],
    ['one of many', { dishes: ['rice', 'tea'] }, { dishes: ['rice'] }],
    ['one and one of many', { dish: 'tea', dishes: ['tea'] }, { dish: null, dishes: [] }],
  ])('shows a relation that was added to %s, and not when it is removed', async (_, added, removed) => {
    const kitchen = await openNotes();
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'before' });
    await update(kitchen, 'free', added);
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'before', free: 'free' });
    await update(kitchen, 'free', removed);
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'before' });
    await update(kitchen, 'free', added);
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'before', free: 'free' });
  });

  it('shows an entry at the product that it has moved to', async () => {
    const kitchen = await openNotes();
    expect([await notesOf(kitchen, 'tea'), await notesOf(kitchen, 'rice')]).toEqual([{ related: 'before' }, {}]);
    await update(kitchen, 'related', { dishes: ['rice'] });
    expect([await notesOf(kitchen, 'tea'), await notesOf(kitchen, 'rice')]).toEqual([{}, { related: 'before' }]);
  });

  it('leaves out an entry that is no longer published, and its database, until it is published again', async () => {
    const kitchen = await openNotes();
    await update(kitchen, 'related', { published: false });
    expect((await pageOf('products', kitchen.keys.chief, 'ids=tea')).data[0].cmsData).toEqual({});
    await update(kitchen, 'related', { title: { en: 'hidden' } });
    expect(await notesOf(kitchen, 'tea')).toEqual({});
    await update(kitchen, 'related', { published: true });
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'hidden' });
  });

  it('shows nothing of hidden fields', async () => {
    const kitchen = await openNotes();
    const key = kitchen.keys.chief;
    const body = { values: { inside: ['tea'], secret: 'secret' } };
    const updated = await call('PATCH /api/public/cms/notes/free?includeHidden=true', { key, body });
    expect(updated).toMatchObject({ status: 200, json: { secret: 'secret', inside: [expect.anything()] } });
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'before' });
  });
});

describe('more than 60 updates in a row', () => {
  it('show in every answer between them', async () => {
    const kitchen = await openNotes();
    for (let round = 0; round < 65; round++) {
      await update(kitchen, 'related', { title: { en: `round ${round}` } });
      expect(await notesOf(kitchen, 'tea')).toEqual({ related: `round ${round}` });
    }
  });

  it('show when nobody has asked between them', async () => {
    const kitchen = await openNotes(numbered('note', 65));
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'before' });
    for (const id of numbered('note', 65)) await update(kitchen, id, { title: { en: id }, dish: 'tea' });
    const all = Object.fromEntries(numbered('note', 65).map((id) => [id, id]));
    expect(await notesOf(kitchen, 'tea')).toEqual({ ...all, related: 'before' });
  });

  it.each([1, 2, 3, 24, 25, 26, 27, 51, 60])('show after %d of entries that relate to nothing', async (count) => {
    const kitchen = await openNotes();
    for (let round = 0; round < count; round++) await update(kitchen, 'free', { title: { en: `round ${round}` } });
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'before' });
    await update(kitchen, 'free', { dish: 'tea' });
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'before', free: `round ${count - 1}` });
    await update(kitchen, 'free', { dish: null });
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'before' });
  });
});

describe('concurrent updates', () => {
  it.each([1, 2, 3])('of 50 entries all show in the very next answer (round %d)', async () => {
    const ids = numbered('note', 50);
    const kitchen = await openNotes(ids);
    await Promise.all(ids.map((id) => update(kitchen, id, { title: { en: id }, dish: 'tea' })));
    const all = Object.fromEntries(ids.map((id) => [id, id]));
    expect(await notesOf(kitchen, 'tea')).toEqual({ ...all, related: 'before' });
    await Promise.all(ids.map((id) => update(kitchen, id, { published: false })));
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'before' });
  });

  it('of one entry, 50 of them, leave what is stored in the very next answer', async () => {
    const kitchen = await openNotes();
    await Promise.all(numbered('text', 50).map((text) => update(kitchen, 'related', { title: { en: text } })));
    const { json } = await call('GET /api/public/cms/notes/related', { key: kitchen.keys.reader });
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: json.title.en });
  });

  it('beside lists show in the very next one, and every list is a whole one', async () => {
    const ids = numbered('note', 25);
    const kitchen = await openNotes(ids);
    const seen = await Promise.all(
      ids.map(async (id) => {
        await update(kitchen, id, { title: { en: id }, dish: 'tea' });
        return [id, await notesOf(kitchen, 'tea')] as const;
      }),
    );
    for (const [id, notes] of seen) expect(notes).toMatchObject({ related: 'before', [id]: id });
    expect(Object.keys(await notesOf(kitchen, 'tea'))).toHaveLength(26);
  });
});

describe('the very next answer after an import', () => {
  const models = (change: (each: { key: string }) => object) => [{ id: 'notes', name: {}, fields: fields.map(change) }];

  it('shows entries that are new, changed and gone', async () => {
    const kitchen = await openNotes(['gone']);
    await update(kitchen, 'gone', { dish: 'tea' });
    expect(Object.keys(await notesOf(kitchen, 'tea')).sort()).toEqual(['gone', 'related']);
    const entries = [entry('related', { title: { en: 'imported' }, dish: 'tea' }), entry('new', { dishes: ['tea'] })];
    await load(documentOf(kitchen, { cms: { entries } }), { prune: true });
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'imported', new: '' });
  });

  it('shows entries of a database that had none', async () => {
    const kitchen = await openNotes();
    await load(documentOf(kitchen, { cms: { entries: [entry('first', { dish: 'rice' }, 'empty')] } }));
    const { data } = await pageOf('products', kitchen.keys.reader, 'ids=rice');
    expect(data[0].cmsData).toEqual({ empty: [expect.objectContaining({ id: 'first' })] });
  });

  it('shows an entry that was updated before the import has moved it to another time', async () => {
    const kitchen = await openNotes();
    await update(kitchen, 'related', { title: { en: 'updated' } });
    const moved = {
      ...entry('related', { title: { en: 'moved' }, dishes: ['tea'] }),
      createdAt: '2020-01-01T00:00:00.000Z',
    };
    await load(documentOf(kitchen, { cms: { entries: [moved] } }));
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'moved' });
    await update(kitchen, 'related', { title: { en: 'later' } });
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'later' });
  });

  it('shows what fields have become visible, hidden or another kind', async () => {
    const kitchen = await openNotes();
    const body = { values: { secret: 'shown', inside: ['rice'] } };
    await call('PATCH /api/public/cms/notes/related?includeHidden=true', { key: kitchen.keys.chief, body });
    await load(documentOf(kitchen, { cms: { models: models((each) => ({ ...each, hidden: false })) } }));
    expect(await notesOf(kitchen, 'rice')).toEqual({ related: 'before' });
    const { data } = await pageOf('products', kitchen.keys.reader, 'ids=rice');
    expect(data[0].cmsData.notes[0]).toMatchObject({ secret: 'shown', inside: [{ id: 'rice' }] });
    await load(documentOf(kitchen, { cms: { models: models((each) => ({ ...each, hidden: each.key !== 'title' })) } }));
    expect([await notesOf(kitchen, 'tea'), await notesOf(kitchen, 'rice')]).toEqual([{}, {}]);
  });
});
