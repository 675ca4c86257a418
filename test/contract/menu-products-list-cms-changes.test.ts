import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { documentOf, pageOf } from '#test/support/menu.ts';
import { entry, fields, notesOf, numbered, openNotes, update } from '#test/support/notes.ts';
import { load } from '#test/support/world.ts';

describe('the next answer after an update of an entry', () => {
  it('shows a changed text', async () => {
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
  ])('shows a relation that was added to %s, and hides it after its removal', async (_, added, removed) => {
    const kitchen = await openNotes();
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'before' });
    await update(kitchen, 'free', added);
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'before', free: 'free' });
    await update(kitchen, 'free', removed);
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'before' });
    await update(kitchen, 'free', added);
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'before', free: 'free' });
  });

  it('shows an entry with the product that it has moved to', async () => {
    const kitchen = await openNotes();
    expect([await notesOf(kitchen, 'tea'), await notesOf(kitchen, 'rice')]).toEqual([{ related: 'before' }, {}]);
    await update(kitchen, 'related', { dishes: ['rice'] });
    expect([await notesOf(kitchen, 'tea'), await notesOf(kitchen, 'rice')]).toEqual([{}, { related: 'before' }]);
  });

  it('hides an unpublished entry with its database until it is published again', async () => {
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

describe('many updates in a row', () => {
  it('appear after 27 updates of entries without relations', async () => {
    const kitchen = await openNotes();
    for (let round = 0; round < 27; round++) await update(kitchen, 'free', { title: { en: `round ${round}` } });
    await update(kitchen, 'free', { dish: 'tea' });
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'before', free: 'round 26' });
  });
});

describe('concurrent updates', () => {
  it('concurrent updates of ten entries all appear in the next answer', async () => {
    const ids = numbered('note', 10);
    const kitchen = await openNotes(ids);
    await Promise.all(ids.map((id) => update(kitchen, id, { title: { en: id }, dish: 'tea' })));
    const all = Object.fromEntries(ids.map((id) => [id, id]));
    expect(await notesOf(kitchen, 'tea')).toEqual({ ...all, related: 'before' });
  });
});

describe('the next answer after an import', () => {
  const models = (change: (each: { key: string }) => object) => [
    { id: 'notes', name: { en: 'Notes' }, fields: fields.map(change) },
  ];

  it('shows new and changed entries, and no removed ones', async () => {
    const kitchen = await openNotes(['gone']);
    await update(kitchen, 'gone', { dish: 'tea' });
    expect(Object.keys(await notesOf(kitchen, 'tea')).sort()).toEqual(['gone', 'related']);
    const entries = [entry('related', { title: { en: 'imported' }, dish: 'tea' }), entry('new', { dishes: ['tea'] })];
    await load(documentOf(kitchen, { cms: { entries } }), { prune: true });
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'imported', new: '' });
  });

  it('shows entries of a database that was empty', async () => {
    const kitchen = await openNotes();
    await load(documentOf(kitchen, { cms: { entries: [entry('first', { dish: 'rice' }, 'empty')] } }));
    const { data } = await pageOf('products', kitchen.keys.reader, 'ids=rice');
    expect(data[0].cmsData).toEqual({ empty: [expect.objectContaining({ id: 'first' })] });
  });

  it('shows an updated entry that the import has changed', async () => {
    const kitchen = await openNotes();
    await update(kitchen, 'related', { title: { en: 'updated' } });
    const imported = entry('related', { title: { en: 'imported' }, dishes: ['tea'] });
    await load(documentOf(kitchen, { cms: { entries: [imported] } }));
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'imported' });
    await update(kitchen, 'related', { title: { en: 'later' } });
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'later' });
  });

  it('shows fields that became visible or changed their type, and no newly hidden ones', async () => {
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
