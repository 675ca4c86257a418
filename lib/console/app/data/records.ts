import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { RecordPage, VersionedRecord } from '#lib/client/records.ts';

/** The calls of the client for a kind of records, such as `client.manage.menuProducts`. */
export interface RecordCalls {
  list(query?: Readonly<Record<string, unknown>>): Promise<RecordPage>;
  get(id: string): Promise<VersionedRecord>;
  create(
    record: Readonly<Record<string, unknown>>,
    options?: { readonly idempotencyKey?: string },
  ): Promise<VersionedRecord>;
  update(
    id: string,
    patch: Readonly<Record<string, unknown>>,
    options?: { readonly ifMatch?: string; readonly idempotencyKey?: string },
  ): Promise<VersionedRecord>;
  delete(id: string, options?: { readonly ifMatch?: string }): Promise<void>;
}

/** The query key of a kind's records. All keys of a kind start with `[kind]`. */
export const recordKeys = {
  list: (kind: string, query: Readonly<Record<string, unknown>>) => [kind, 'list', query] as const,
  one: (kind: string, id: string) => [kind, 'record', id] as const,
};

/**
 * A list that grows page by page. `rows` has the rows of all pages that were read so far.
 * @param query the parameters of the list, without `cursor`
 * @param options `staleTime` in milliseconds, for a list that is reread less often than others
 */
export function useRecordList<Row>(
  kind: string,
  calls: Pick<RecordCalls, 'list'>,
  query: Readonly<Record<string, unknown>> = {},
  options: { readonly staleTime?: number } = {},
) {
  const found = useInfiniteQuery({
    ...options,
    queryKey: recordKeys.list(kind, query),
    queryFn: ({ pageParam }) => calls.list({ ...query, cursor: pageParam ?? undefined }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: (before) => before,
  });
  return { ...found, rows: (found.data?.pages.flatMap(({ data }) => data) ?? []) as unknown as readonly Row[] };
}

/** All records of a small kind, such as categories: page after page, at most 1,000. */
export function useAllRecords<Row>(
  kind: string,
  calls: Pick<RecordCalls, 'list'>,
  query: Readonly<Record<string, unknown>> = {},
  isAllowed = true,
) {
  return useQuery({
    enabled: isAllowed,
    queryKey: [kind, 'all', query],
    queryFn: async () => {
      const rows: unknown[] = [];
      for (let cursor: string | null = null; rows.length < 1_000; ) {
        const page: RecordPage = await calls.list({ limit: 100, ...query, cursor: cursor ?? undefined });
        rows.push(...page.data);
        cursor = page.next;
        if (cursor === null) break;
      }
      return rows as readonly Row[];
    },
  });
}

/** Invalidates all queries of a kind after a write. */
export function useRefresh(): (kind: string) => Promise<void> {
  const queries = useQueryClient();
  return (kind) => queries.invalidateQueries({ queryKey: [kind] });
}
