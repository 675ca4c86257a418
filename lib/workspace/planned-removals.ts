import { kinds } from '#lib/kinds/kinds.ts';
import type { Removed } from '#lib/table/import/workspace-writer.ts';
import type { DocumentLookup } from './document-lookup.ts';

/** The numbers of stored records that the import of a checked document with `--prune` removes, by kind. */
export async function plannedRemovals(lookup: DocumentLookup): Promise<Removed> {
  const removed: Partial<Record<keyof Removed, number>> = {};
  for (const kind of kinds) {
    if (kind === 'workspace') continue;
    let count = 0;
    for await (const _ of kind === 'cmsEntry' ? lookup.removedEntryIds() : lookup.removedIds(kind)) count++;
    if (count > 0) removed[kind] = count;
  }
  return removed;
}
