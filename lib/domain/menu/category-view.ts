import { MenuCategory } from './menu-records.ts';

const members = Object.keys(MenuCategory.shape).filter((member) => member !== 'position') as (keyof MenuCategory)[];

/** The declared properties of a stored category for a response (lib/spec/interface.md section 2.3). */
export const categoryView = (category: MenuCategory): Partial<MenuCategory> =>
  Object.fromEntries(members.map((member) => [member, category[member]]));
