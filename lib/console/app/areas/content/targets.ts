import { useQuery } from '@tanstack/react-query';
import type { RecordPage, StoredRecord } from '#lib/client/manage.ts';
import { client } from '../../data/client.ts';
import { textIn } from '../../data/localized.ts';
import { type RecordCalls, useRecordList } from '../../data/records.ts';
import { useMay, useProfile } from '../../data/session-context.tsx';
import { useLanguage } from '../../texts/use-texts.tsx';
import { titleOf } from './database-model.ts';
import { entryCalls, entryKind, useDatabases } from './records.ts';
import type { Entry } from './types.ts';

/** What a relation can name, in a few words. */
export interface Target {
  readonly id: string;
  readonly name: string;
  readonly published: boolean;
}

/** A filter takes so many ids. */
const idsPerCall = 50;

/** The database that a relation names; undefined for products. */
export const modelOfRelation = (to: string): string | undefined =>
  to.startsWith('cms:') ? to.slice('cms:'.length) : undefined;

type Lister = Pick<RecordCalls, 'list'>;

/** Products, by whichever right the member has to read them; undefined without one. */
function useProducts(): Lister | undefined {
  const mayManage = useMay('menu:product:manage', 'menu:product:availability');
  const mayRead = useMay('menu:product:read');
  if (mayManage) return client.manage.menuProducts;
  return mayRead ? { list: listPublicProducts } : undefined;
}

async function listPublicProducts(query: Readonly<Record<string, unknown>> = {}): Promise<RecordPage> {
  const { q, limit = 20, cursor } = query as { q?: string; limit?: number; cursor?: string };
  const page = cursor === undefined ? 1 : Number(cursor);
  const { data, pagination } = await client.listProducts({ search: q, limit, page, includeCmsData: false });
  return { data: data as unknown as readonly StoredRecord[], next: pagination.hasMore ? String(page + 1) : null };
}

/** How records of a relation's target are listed and called. */
function useTargetSource(to: string) {
  const { data: databases } = useDatabases();
  const products = useProducts();
  const { defaultLanguage } = useProfile().workspace;
  const languages = [useLanguage(), defaultLanguage];
  const modelId = modelOfRelation(to);
  const fields = databases?.find(({ id }) => id === modelId)?.fields ?? [];
  const nameOf = (record: StoredRecord): string =>
    modelId === undefined
      ? textIn(record['name'] as Readonly<Record<string, string>>, languages) || record.id
      : titleOf(fields, record as unknown as Entry, languages);
  return {
    kind: modelId === undefined ? 'menu-products' : entryKind(modelId),
    lister: modelId === undefined ? products : entryCalls(modelId),
    targetOf: (record: StoredRecord): Target => ({
      id: record.id,
      name: nameOf(record),
      published: record['published'] !== false,
    }),
  };
}

const nothing: Lister = { list: async () => ({ data: [], next: null }) };

/** The records that a relation may name, page by page. `isAllowed` is false for a member who may not read them. */
export function useTargets(to: string, q: string) {
  const { kind, lister, targetOf } = useTargetSource(to);
  const list = useRecordList<StoredRecord>(kind, lister ?? nothing, { q, limit: 20 });
  return { list, targets: list.rows.map(targetOf), isAllowed: lister !== undefined };
}

/** What the records with these ids are called; those that are gone or may not be seen are left out. */
export function useTargetNames(to: string, ids: readonly string[]): ReadonlyMap<string, Target> | undefined {
  const { kind, lister, targetOf } = useTargetSource(to);
  const wanted = [...new Set(ids)].sort();
  const isOfEntries = modelOfRelation(to) !== undefined;
  const { data } = useQuery({
    queryKey: isOfEntries ? [kind, 'named', wanted] : [kind, 'named'],
    queryFn: () => (isOfEntries ? listByIds(lister ?? nothing, wanted) : listAll(lister ?? nothing)),
    enabled: wanted.length > 0,
    staleTime: 60_000,
  });
  return data && new Map(data.map(targetOf).map((target) => [target.id, target]));
}

async function listByIds(lister: Lister, ids: readonly string[]): Promise<readonly StoredRecord[]> {
  const found: StoredRecord[] = [];
  for (let start = 0; start < ids.length; start += idsPerCall) {
    const some = ids.slice(start, start + idsPerCall);
    found.push(...(await lister.list({ filter: { id: { in: some } }, limit: idsPerCall })).data);
  }
  return found;
}

/** Products cannot be asked for by id, and a menu is small. */
async function listAll(lister: Lister): Promise<readonly StoredRecord[]> {
  const found: StoredRecord[] = [];
  for (let cursor: string | null | undefined; cursor !== null && found.length < 2_000; ) {
    const page: RecordPage = await lister.list({ limit: 100, cursor });
    found.push(...page.data);
    cursor = page.next;
  }
  return found;
}
