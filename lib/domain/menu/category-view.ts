import type { MenuCategory } from './menu-category.ts';

const members = [
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

/** The declared properties of a stored category for a response (lib/spec/interface.md section 2.3). */
export const categoryView = (category: MenuCategory): Partial<MenuCategory> =>
  Object.fromEntries(members.map((member) => [member, category[member]]));
