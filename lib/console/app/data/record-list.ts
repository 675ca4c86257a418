import { useInfiniteQuery, useMutationState } from '@tanstack/react-query';
import { heldMutations, idsOf } from './held.ts';
import { type RecordCalls, recordKeys } from './records.ts';

/**
 * A list that grows page by page. `rows` has those of all pages that were read so far, without records
 * that are about to be deleted.
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
  const held = useMutationState({ filters: heldMutations(kind), select: idsOf }).flat();
  const rows = found.data?.pages.flatMap(({ data }) => data).filter(({ id }) => !held.includes(id)) ?? [];
  return { ...found, rows: rows as unknown as readonly Row[] };
}
