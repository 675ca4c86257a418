import { call } from './call.ts';
import { pageOf, product, withProducts } from './menu.ts';
import { openWorkspace } from './workspace.ts';

export const fields = [
  { key: 'title', name: { en: 'Title' }, type: 'text', localized: true },
  { key: 'secret', name: { en: 'Secret' }, type: 'text', hidden: true },
  { key: 'dish', name: { en: 'Dish' }, type: 'relation', relation: { to: 'menu:product', many: false } },
  { key: 'dishes', name: { en: 'Dishes' }, type: 'relation', relation: { to: 'menu:product', many: true } },
  {
    key: 'inside',
    name: { en: 'Inside' },
    type: 'relation',
    relation: { to: 'menu:product', many: true },
    hidden: true,
  },
];
/** `<name>_0`, `<name>_1`, and so on. */
export const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}_${index}`);
export const entry = (id: string, values: object = {}, modelId = 'notes') => ({ id, modelId, values });

/**
 * A kitchen with two products and a database of notes. One entry relates to the first product; the others have no
 * relation.
 */
export const openNotes = (others: readonly string[] = []) =>
  openWorkspace(
    'kitchen',
    withProducts([product('tea'), product('rice')], ({ cms }) => {
      cms.models.push({ id: 'notes', name: { en: 'Notes' }, fields }, { id: 'empty', name: { en: 'Empty' }, fields });
      cms.entries.push(
        entry('related', { title: { en: 'before' }, dishes: ['tea'] }),
        entry('free', { title: { en: 'free' } }),
        ...others.map((id) => entry(id)),
      );
    }),
  );
type Notes = Awaited<ReturnType<typeof openNotes>>;

/** Sends an update, with a client's retries after 503. */
export async function update(kitchen: Notes, id: string, values: object, tries = 10): Promise<void> {
  const { status, text } = await call(`PATCH /api/public/cms/notes/${id}`, {
    key: kitchen.keys.chief,
    body: { values },
  });
  if (status === 503 && tries > 1) return update(kitchen, id, values, tries - 1);
  if (status !== 200) throw new Error(`${status}: ${text}`);
}

/** The notes of a product in the list, by id: their English titles. */
export async function notesOf(kitchen: Notes, productId: string): Promise<Record<string, string>> {
  const { data } = await pageOf('products', kitchen.keys.reader, { ids: productId });
  const notes: { id: string; title: { en: string } | null }[] = data[0].cmsData.notes ?? [];
  return Object.fromEntries(notes.map(({ id, title }) => [id, title?.en ?? '']));
}
