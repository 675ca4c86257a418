import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { isStill } from '../dynamodb/conditions.ts';
import { removeAll } from '../dynamodb/write-all.ts';
import type { Item } from '../schema.ts';
import type { Table, TransactItem, Writes } from '../table.ts';
import type { AppliedChange } from './change.ts';
import { keptSeconds, nowSeconds, type Parent, type ParentKind, slotKey, slots, slotsOf } from './reference-slots.ts';

const parentKinds: ReadonlySet<string> = new Set<ParentKind>([
  'cmsModel',
  'menuCategory',
  'form',
  'channel',
  'customer',
]);

const isParentKind = (kind: string): kind is ParentKind => parentKinds.has(kind);

/** Marks stay longer, for a writer that slept after it had read the parent. */
const markedSeconds = 600;
/** A reference that was noted so recently may have been read before its record became visible. Clocks differ. */
const recentSeconds = 32;
/** A transaction becomes visible item by item, within milliseconds. */
const visibleMilliseconds = 100;

/** A write of a record that others may refer to. */
interface ParentWrite {
  readonly kind: string;
  readonly id: string;
  readonly verb: 'create' | 'replace' | 'delete' | 'update';
}

/** @returns undefined if no other record can refer to the written one */
export const removalOf = (scope: WorkspaceScope, { kind, id, verb }: ParentWrite): Removal | undefined =>
  isParentKind(kind) ? new Removal(scope, { kind, id }, verb) : undefined;

/**
 * Ends the marks of removed parents that an import brings back. Call it before they are written: an import that stops
 * in between finds them missing again.
 */
export async function endMarks(table: Table, workspaceId: string, kind: string, ids: readonly string[]): Promise<void> {
  if (!isParentKind(kind)) return;
  const reads = table.uncached();
  const first = await Promise.all(ids.map((id) => reads.get(slotKey(workspaceId, { kind, id }, 0))));
  const marked = ids.filter((_, index) => first[index]?.['removed'] !== undefined);
  await removeAll(
    table,
    marked.flatMap((id) => slots.map((slot) => slotKey(workspaceId, { kind, id }, slot))),
  );
}

/**
 * Prevents a removal of a parent that gets new references at the same time. Each new reference is noted in a slot. The
 * removal reads the slots, searches for referrers, and requires the same slots in its transaction. So the search has
 * found every referrer, and a refused removal leaves nothing behind.
 */
class Removal {
  readonly #workspaceId: string;
  readonly #parent: Parent;
  readonly #verb: ParentWrite['verb'];
  /** The stored slots of the parent. */
  #slots: readonly Item[] = [];
  /** Whether the parent was removed recently, so that a record with its id is to end its marks. */
  #isMarked = false;

  constructor({ workspaceId }: WorkspaceScope, parent: Parent, verb: ParentWrite['verb']) {
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
    if (this.#verb === 'delete') reads.forgetRanges();
  }

  /** Parts of the transaction of a write. */
  writes({ status }: AppliedChange): Writes {
    if (status === 'removed') return { marks: this.#marks() };
    if (status !== 'created' || !this.#isMarked) return {};
    return { marks: slots.map((slot) => ({ Delete: { Key: slotKey(this.#workspaceId, this.#parent, slot) } })) };
  }

  /**
   * Its conditions fail if a reference was noted since the slots were read. The marks outlast the removal, for writers
   * that read the parent before it.
   */
  #marks(): TransactItem[] {
    const mark = { by: randomUUID(), ttl: nowSeconds() + markedSeconds, removed: true };
    return slots.map((slot) => {
      const key = slotKey(this.#workspaceId, this.#parent, slot);
      const before = this.#slots.find(({ sk }) => sk === key.sk);
      return { Put: { Item: { ...key, ...mark }, ...isStill('by', before?.['by']) } };
    });
  }
}
