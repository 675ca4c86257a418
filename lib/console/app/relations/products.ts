import type { RecordPage, StoredRecord } from '#lib/client/records.ts';
import { client } from '../data/client.ts';
import { useLocalized, useMay } from '../data/session-context.tsx';
import type { Lister, TargetSource } from './targets.ts';

/** Products as the targets of a relation. They are read with the permission that the member has. */
export function useProductSource(): TargetSource {
  const localized = useLocalized();
  const mayManage = useMay('menu:product:manage', 'menu:product:availability');
  const mayRead = useMay('menu:product:read');
  const publicProducts: Lister | undefined = mayRead ? { list: listPublicProducts } : undefined;
  return {
    kind: 'menu-products',
    lister: mayManage ? client.manage.menuProducts : publicProducts,
    targetOf: (record) => ({
      id: record.id,
      name: localized(record['name'] as Readonly<Record<string, string>>) || record.id,
      published: record['published'] !== false,
    }),
    isListedById: false,
  };
}

async function listPublicProducts(query: Readonly<Record<string, unknown>> = {}): Promise<RecordPage> {
  const { q, limit = 20, cursor } = query as { q?: string; limit?: number; cursor?: string };
  const page = cursor === undefined ? 1 : Number(cursor);
  const { data, pagination } = await client.listProducts({ search: q, limit, page, includeCmsData: false });
  return { data: data as unknown as readonly StoredRecord[], next: pagination.hasMore ? String(page + 1) : null };
}
