import { useQuery } from '@tanstack/react-query';
import type { RecordPage, StoredRecord } from '#lib/client/records.ts';
import { useRecordList } from '../data/record-list.ts';
import type { RecordCalls } from '../data/records.ts';

/** A possible target of a relation. */
export interface Target {
  readonly id: string;
  readonly name: string;
  readonly published: boolean;
}

export type Lister = Pick<RecordCalls, 'list'>;

/** Lists and names the possible targets of a relation. */
export interface TargetSource {
  /** Their query key. */
  readonly kind: string;
  /** Undefined for a member who may not read them. */
  readonly lister: Lister | undefined;
  readonly targetOf: (record: StoredRecord) => Target;
  /** True if they can be listed by id; otherwise all of them are read for a name. */
  readonly isListedById: boolean;
}

/** The maximum number of ids in a filter. */
const idsPerCall = 50;

const nothing: Lister = { list: async () => ({ data: [], next: null }) };

/** The possible targets of a relation, page by page. */
export function useTargets({ kind, lister, targetOf }: TargetSource, q: string) {
  const list = useRecordList<StoredRecord>(kind, lister ?? nothing, { q, limit: 20 });
  return { list, targets: list.rows.map(targetOf), isAllowed: lister !== undefined };
}

/** The names of the records with these ids, without those that are deleted or may not be seen. */
export function useTargetNames(
  { kind, lister, targetOf, isListedById }: TargetSource,
  ids: readonly string[],
): ReadonlyMap<string, Target> | undefined {
  const wanted = [...new Set(ids)].sort();
  const { data } = useQuery({
    queryKey: isListedById ? [kind, 'named', wanted] : [kind, 'named'],
    queryFn: () => (isListedById ? listByIds(lister ?? nothing, wanted) : listAll(lister ?? nothing)),
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

/** For small lists that cannot be filtered by id, e.g. products. */
async function listAll(lister: Lister): Promise<readonly StoredRecord[]> {
  const found: StoredRecord[] = [];
  for (let cursor: string | null | undefined; cursor !== null && found.length < 2_000; ) {
    const page: RecordPage = await lister.list({ limit: 100, cursor });
    found.push(...page.data);
    cursor = page.next;
  }
  return found;
}
