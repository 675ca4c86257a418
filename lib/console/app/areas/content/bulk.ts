import type { RecordChange } from '#lib/client/manage.ts';

export type BulkAction = 'publish' | 'unpublish' | 'delete';

/** One change for each entry. */
export const bulkChanges = (modelId: string, ids: readonly string[], action: BulkAction): readonly RecordChange[] =>
  ids.map((id) => {
    const named = { kind: 'cms-entries', id: `${modelId}/${id}` } as const;
    return action === 'delete'
      ? { ...named, method: 'DELETE' }
      : { ...named, method: 'PATCH', record: { published: action === 'publish' } };
  });
