import { Permission } from '#lib/domain/access/permission.ts';
import { documentOf, product } from '#test/support/menu.ts';
import { field, form, withForms } from '#test/support/presets/forms.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';

export const chefs = [1, 2, 3, 4, 5].map((number) => `chef_${number}`);
export const things = [1, 2, 3, 4].map((number) => `thing_${number}`);
export const notes = [1, 2].map((number) => `note_${number}`);
export const products = Array.from({ length: 12 }, (_, index) => `prod_${index + 1}`);

/** Products and entries that are removed and made again. */
export const guests = [1, 2, 3].map((number) => `guest_${number}`);
export const jots = [1, 2, 3].map((number) => `jot_${number}`);

/** The products for a number. Different numbers have different products. */
export const productsOf = (number: number): string[] => products.filter((_, index) => (number >> index) % 2 === 1);

/** The secret of a key that manages records. */
export const managerOf = ({ workspaceId }: Pick<Workspace, 'workspaceId'>): string => `manager-${workspaceId}`;

const categories = [{ id: 'cat_1', slug: 'mains', name: { en: 'Mains' } }];

export const createdAt = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

export const chef = (id: string, name: string, signature: readonly string[]) => ({
  id,
  modelId: 'chefs',
  createdAt: createdAt(chefs.indexOf(id)),
  values: { name: { en: name }, signature, likes: things[chefs.indexOf(id) % things.length] },
});

const thing = (id: string, title: string) => ({
  id,
  modelId: 'things',
  createdAt: createdAt(things.indexOf(id)),
  values: { title, chef: 'chef_1' },
});

export const dish = (id: string, name: string) => product(id, { name: { en: name } });

/**
 * A workspace with relations of every kind. Chefs relate to products, things and chefs; things and products relate to
 * chefs. Notes have no relations.
 */
export function openWorld(): Promise<Workspace<'forms'>> {
  return openWorkspace(
    'forms',
    withForms([form('visit', [field('note', 'TEXTAREA')])], (document) => {
      for (const id of ['notes', 'jots']) {
        const fields = [{ key: 'title', name: { en: 'Title' }, type: 'text' }];
        document.cms.models.push({ id, name: { en: id }, fields });
      }
      document.cms.entries = [
        ...chefs.map((id, index) => chef(id, 'first', productsOf(index))),
        ...things.map((id) => thing(id, 'first')),
        ...notes.map((id, index) => ({
          id,
          modelId: 'notes',
          createdAt: createdAt(index),
          values: { title: 'first' },
        })),
        ...jots.map((id) => ({ id, modelId: 'jots', values: { title: 'first' } })),
      ];
      const secret = managerOf({ workspaceId: document.workspace.id });
      document.apiKeys.push({ id: 'key_manager', name: 'Manager', secret, permissions: Permission.options });
      document.menu = { categories, products: [...products, ...guests].map((id) => dish(id, 'first')) };
    }),
  );
}

/** The registers of the world with their initial values. */
export const registersOfWorld = (): ReadonlyMap<string, string> =>
  new Map([
    ...chefs.map((id) => [`${id}.name`, 'first'] as const),
    ...chefs.map((id, index) => [`${id}.signature`, productsOf(index).join()] as const),
    ...[...things, ...notes].map((id) => [`${id}.title`, 'first'] as const),
    ...[...products, ...guests].map((id) => [`${id}.name`, 'first'] as const),
    ...jots.map((id) => [`${id}.title`, 'first'] as const),
  ]);

/** The registers that an operation writes, with their new values. */
export type Writes = readonly (readonly [register: string, value: string])[];

/** A document that changes two products, a chef and a thing. */
export function importedDocument(
  world: Workspace,
  number: number,
  {
    chefId,
    thingId,
    dishes,
  }: { readonly chefId: string; readonly thingId: string; readonly dishes: readonly string[] },
) {
  const text = `import ${number}`;
  const signature = productsOf(number);
  const entries = [chef(chefId, text, signature), thing(thingId, text)];
  const menu = { categories: world.document.menu.categories, products: dishes.map((id) => dish(id, text)) };
  const writes: Writes = [
    ...dishes.map((id) => [`${id}.name`, text] as const),
    [`${chefId}.name`, text],
    [`${chefId}.signature`, signature.join()],
    [`${thingId}.title`, text],
  ];
  return { document: documentOf(world, { cms: { models: [], entries }, menu }), writes };
}
