import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { notesOf, numbered, openNotes, update } from '#test/support/notes.ts';

describe('more than 60 updates in a row', () => {
  it('appear in every answer between them', async () => {
    const kitchen = await openNotes();
    for (let round = 0; round < 65; round++) {
      await update(kitchen, 'related', { title: { en: `round ${round}` } });
      expect(await notesOf(kitchen, 'tea')).toEqual({ related: `round ${round}` });
    }
  });

  it('appear without a read in between', async () => {
    const kitchen = await openNotes(numbered('note', 65));
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'before' });
    for (const id of numbered('note', 65)) await update(kitchen, id, { title: { en: id }, dish: 'tea' });
    const all = Object.fromEntries(numbered('note', 65).map((id) => [id, id]));
    expect(await notesOf(kitchen, 'tea')).toEqual({ ...all, related: 'before' });
  });

  it.each([1, 2, 3, 24, 25, 26, 27, 51, 60])('appear after %d updates of entries without relations', async (count) => {
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
  it.each([1, 2, 3])('of 50 entries all appear in the next answer (round %d)', async () => {
    const ids = numbered('note', 50);
    const kitchen = await openNotes(ids);
    await Promise.all(ids.map((id) => update(kitchen, id, { title: { en: id }, dish: 'tea' })));
    const all = Object.fromEntries(ids.map((id) => [id, id]));
    expect(await notesOf(kitchen, 'tea')).toEqual({ ...all, related: 'before' });
    await Promise.all(ids.map((id) => update(kitchen, id, { published: false })));
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: 'before' });
  });

  it('of one entry, 50 of them, leave the stored values in the next answer', async () => {
    const kitchen = await openNotes();
    await Promise.all(numbered('text', 50).map((text) => update(kitchen, 'related', { title: { en: text } })));
    const { json } = await call('GET /api/public/cms/notes/related', { key: kitchen.keys.reader });
    expect(await notesOf(kitchen, 'tea')).toEqual({ related: json.title.en });
  });

  it('beside lists appear in the next list, and every list shows one state', async () => {
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
