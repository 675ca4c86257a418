import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { RecordPage, VersionedRecord } from '#lib/client/records.ts';
import type { WriteOptions } from '#lib/client/transport.ts';

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
  delete(id: string, options?: Pick<WriteOptions, 'ifMatch' | 'keepalive'>): Promise<void>;
}

/** The query key of a kind's records. All keys of a kind start with `[kind]`. */
export const recordKeys = {
  list: (kind: string, query: Readonly<Record<string, unknown>>) => [kind, 'list', query] as const,
  one: (kind: string, id: string) => [kind, 'record', id] as const,
};

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
