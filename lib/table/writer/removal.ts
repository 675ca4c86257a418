import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isStill } from '../dynamodb/conditions.ts';
import { putAll, removeAll } from '../dynamodb/write-all.ts';
import type { Item, Table, TransactItem, WorkspaceScope, Writes } from '../table.ts';
import {
  isParentKind,
  keptSeconds,
  nowSeconds,
  type Parent,
  type ParentKind,
  slotKey,
  slots,
  slotsOf,
} from './reference-slots.ts';
import { repeatWrite, tryChange } from './repeat-write.ts';

/** Marks stay longer, for a writer that slept after it had read the parent. */
const markedSeconds = 600;
/** A reference that was noted so recently may have been read before its record became visible. Clocks differ. */
const recentSeconds = 32;
/** A transaction becomes visible item by item, within milliseconds. */
const visibleMilliseconds = 100;

export type WriteVerb = 'create' | 'replace' | 'update' | 'delete';

/** A write of a record that others may refer to. */
interface ParentWrite {
  readonly kind: string;
  readonly id: string;
  readonly verb?: WriteVerb | undefined;
}

/** @returns undefined if no other record can refer to the written one, or its references stay */
export const removalOf = (scope: WorkspaceScope, { kind, id, verb = 'update' }: ParentWrite): Removal | undefined =>
  isParentKind(kind) && verb !== 'update' ? new Removal(scope, { kind, id }, verb) : undefined;

/**
 * Removes a parent for an import, unless others refer to it. The removal and its marks are one transaction.
 * @param isUsed searches for referrers. It runs again if a reference was noted meanwhile
 * @returns whether it is gone
 */
export const removeUnused = (
  table: Table,
  scope: WorkspaceScope,
  parent: Parent,
  record: Writes[string],
  isUsed: (reads: Table) => Promise<boolean>,
): Promise<boolean> =>
  repeatWrite<Writes | undefined, boolean>(table, {
    prepare: async () => {
      const removal = new Removal(scope, parent, 'delete');
      const reads = table.uncached();
      await removal.look(reads);
      return (await isUsed(reads)) ? undefined : { record, marks: removal.marks() };
    },
    write: async (writes) => (writes ? ((await tryChange(table, writes)) ?? true) : false),
  });

/**
 * Marks parents of which an import removes many in one step. Search for their referrers afterwards, and end the marks
 * of those that stay.
 */
export async function markRemovals(table: Table, workspaceId: string, kind: ParentKind, ids: readonly string[]) {
  if (ids.length === 0) return;
  const marks = (some: readonly number[]) =>
    ids.flatMap((id) => some.map((slot) => ({ ...slotKey(workspaceId, { kind, id }, slot), ...newMark() })));
  // While any slot is marked, the first one is.
  await putAll(table, marks([0]));
  await putAll(table, marks(slots.slice(1)));
  await pause(visibleMilliseconds);
}

/**
 * Ends the marks of parents that stay, or that an import brings back. Call it before those are written: an import that
 * stops in between finds them missing again.
 */
export async function endMarks(table: Table, workspaceId: string, kind: string, ids: readonly string[]): Promise<void> {
  if (!isParentKind(kind)) return;
  const reads = table.uncached();
  const first = await Promise.all(ids.map((id) => reads.get(slotKey(workspaceId, { kind, id }, 0))));
  const marked = ids.filter((_, index) => first[index]?.['removed'] !== undefined);
  const marks = (some: readonly number[]) =>
    marked.flatMap((id) => some.map((slot) => slotKey(workspaceId, { kind, id }, slot)));
  await removeAll(table, marks(slots.slice(1)));
  await removeAll(table, marks([0]));
}

const newMark = () => ({ by: randomUUID(), ttl: nowSeconds() + markedSeconds, removed: true });

/**
 * Prevents a removal of a parent that gets new references at the same time. Each new reference is noted in a slot. The
 * removal reads the slots, searches for referrers, and requires the same slots in its transaction. So the search has
 * found every referrer, and a refused removal leaves nothing behind.
 */
class Removal {
  readonly #workspaceId: string;
  readonly #parent: Parent;
  readonly #verb: WriteVerb;
  /** The stored slots of the parent. */
  #slots: readonly Item[] = [];
  /** Whether the parent was removed recently, so that a record with its id is to end its marks. */
  #isMarked = false;

  constructor({ workspaceId }: WorkspaceScope, parent: Parent, verb: WriteVerb) {
    this.#workspaceId = workspaceId;
    this.#parent = parent;
    this.#verb = verb;
  }

  /** Starts the reads of `look` early. @throws Unavailable */
  async warm(reads: Table): Promise<void> {
    if (this.#verb === 'delete') this.#slots = await reads.range({ pk: slotsOf(this.#workspaceId, this.#parent) });
    else this.#isMarked = (await reads.get(slotKey(this.#workspaceId, this.#parent, 0)))?.['removed'] !== undefined;
  }

  /** Call this for each try, before the search for referrers. @throws Unavailable */
  async look(reads: Table): Promise<void> {
    await this.warm(reads);
    const isRecent = this.#slots.some(
      ({ ttl, removed }) => !removed && Number(ttl) > nowSeconds() + keptSeconds - recentSeconds,
    );
    if (isRecent) await pause(visibleMilliseconds);
    // The log is to be read after the slots, so that it has every noted referrer.
    if (this.#verb === 'delete') reads.evict(slotKey(this.#workspaceId, this.#parent, 0));
  }

  /** Parts of the transaction of a write. */
  writes({ status }: { readonly status: string }): Writes {
    if (status === 'removed') return { marks: this.marks() };
    if (status !== 'created' || !this.#isMarked) return {};
    return { marks: slots.map((slot) => ({ Delete: { Key: slotKey(this.#workspaceId, this.#parent, slot) } })) };
  }

  /**
   * Its conditions fail if a reference was noted since the slots were read. The marks outlast the removal, for writers
   * that read the parent before it.
   */
  marks(): TransactItem[] {
    const mark = newMark();
    return slots.map((slot) => {
      const key = slotKey(this.#workspaceId, this.#parent, slot);
      const before = this.#slots.find(({ sk }) => sk === key.sk);
      return { Put: { Item: { ...key, ...mark }, ...isStill('by', before?.['by']) } };
    });
  }
}
