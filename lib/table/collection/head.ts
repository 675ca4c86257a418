import { keys } from '../keys.ts';
import { type ChangeLog, hasEnded, isImporting } from '../log/change-log.ts';
import { containerMemory, textBytes } from '../memory/container-memory.ts';
import type { Item, Key, Table } from '../table.ts';

/** A collection of a workspace: the stored index of one kind of list. */
export interface CollectionScope {
  readonly workspaceId: string;
  readonly collection: string;
  /** Tells apart bases that are made from one head. */
  readonly variant?: string;
}

/** Names the base of a collection (X1): its stored rows, to which readers add the changes in the log. */
export interface CollectionHead {
  /** Identifies the stored rows; absent until they are first written. */
  readonly base?: string;
  /** The id of the part that names all other parts. */
  readonly directory?: string;
  /** The number of rows of the base, if the collection has a single list. */
  readonly total?: number;
  /** When the base became current, in milliseconds since 1970. */
  readonly since?: number;
  /** When the compaction that made the base began to read: the base includes all changes before. */
  readonly foldedAt?: number;
}

export const headKey = ({ workspaceId, collection }: CollectionScope): Key => keys.indexHead(workspaceId, collection);

interface CachedHead {
  readonly head: CollectionHead;
  readonly epoch: string | undefined;
  readonly view: object;
}

const heads = containerMemory.view<CachedHead>();

/**
 * A container reads a head again only after a change of any base. A change of bases may become visible item by item, so
 * for a minute every request reads it.
 */
export async function readHead(
  table: Table,
  scope: CollectionScope,
  { state, view }: ChangeLog,
): Promise<CollectionHead> {
  const key = headKey(scope);
  const address = `${table.name} ${key.pk}`;
  const cached = heads.get(address);
  const isKnown = cached?.view === view && cached.epoch === state.epoch && hasEnded(state.epoch);
  if (cached && isKnown && !isImporting(state, scope.collection)) return cached.head;
  const head: CollectionHead = ((await table.get(key)) as (Item & CollectionHead) | undefined) ?? {};
  heads.set(address, { head, epoch: state.epoch, view }, textBytes(JSON.stringify(head)));
  return head;
}
