import type { MenuCategory } from '#lib/domain/menu/menu-records.ts';
import { client } from '../../data/client.ts';
import { type RecordCalls, useAllRecords } from '../../data/records.ts';
import { useLocalized, useMay } from '../../data/session-context.tsx';

/** The public list, for members who may read categories but not manage them. */
const publicCalls: Pick<RecordCalls, 'list'> = {
  list: async () => {
    const data = [];
    for await (const category of client.allCategories()) data.push({ ...category });
    return { data, next: null };
  },
};

/** The categories to choose from; empty for members who may not see them. */
export function useCategories() {
  const localized = useLocalized();
  const mayManage = useMay('menu:category:manage');
  const maySee = useMay('menu:category:read', 'menu:category:manage');
  const calls = mayManage ? client.manage.menuCategories : publicCalls;
  const { data: categories = [] } = useAllRecords<MenuCategory>('menu-categories', calls, {}, maySee);
  return {
    maySee,
    options: categories.map(({ id, name }) => ({ value: id, label: localized(name) || id })),
    nameOf: (id: string) => localized(categories.find((category) => category.id === id)?.name) || id,
  };
}
