import type { MenuCategory } from './menu-category.ts';

/** The properties of a category in a response, in order, without its products (lib/spec/interface.md section 2.3). */
const categoryMembers = [
  'id',
  'slug',
  'name',
  'description',
  'thumbnail',
  'smallThumbnail',
  'showcase',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof MenuCategory)[];

/** The declared properties of a stored category for a response. */
export const categoryView = (category: MenuCategory): Partial<MenuCategory> =>
  Object.fromEntries(categoryMembers.map((member) => [member, category[member]]));
