import type { MenuCategory } from '#lib/domain/menu/menu-category.ts';
import { client } from '../../data/client.ts';
import { useAllRecords } from '../../data/records.ts';
import { useLocalized, useMay } from '../../data/session-context.tsx';

/** The categories to choose from; none for members who may not see them. */
export function useCategories() {
  const localized = useLocalized();
  const mayRead = useMay('menu:category:manage');
  const { data: categories = [] } = useAllRecords<MenuCategory>(
    'menu-categories',
    client.manage.menuCategories,
    {},
    mayRead,
  );
  return {
    options: categories.map(({ id, name }) => ({ value: id, label: localized(name) || id })),
    nameOf: (id: string) => localized(categories.find((one) => one.id === id)?.name) || id,
  };
}
