import type { MenuCategory } from './menu-category.ts';

/** The members of a category in an answer, in order (lib/spec/interface.md section 2.3), without those of its products. */
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

/** A stored category as an answer shows it: declared members only. */
export const categoryView = (category: MenuCategory): Partial<MenuCategory> =>
  Object.fromEntries(categoryMembers.map((member) => [member, category[member]]));
