import { setTimeout as pause } from 'node:timers/promises';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { Kind } from '#lib/kinds/kinds.ts';
import type { Table, Writes } from '#lib/table/table.ts';
import type { AppliedChange } from '#lib/table/writer/change.ts';
import {
  endMarks,
  hasRecentReference,
  isMarked,
  type Parent,
  type ParentKind,
  readSlots,
  removalMarks,
  type Slots,
} from '#lib/table/writer/removal-marks.ts';
import type { RecordWrite } from './managed-record.ts';

const parentKinds: ReadonlySet<Kind> = new Set<ParentKind>(['cmsModel', 'menuCategory', 'form', 'channel', 'customer']);

/** A transaction becomes visible item by item, within milliseconds. */
const visibleMilliseconds = 100;

/**
 * Prevents a removal of a parent that gets new references at the same time. Each new reference is noted in a slot. The
 * removal reads the slots, searches for referrers, and requires the same slots in its transaction. So the search has
 * found every referrer, and a refused removal leaves nothing behind.
 */
class Removal {
  readonly #workspaceId: string;
  readonly #parent: Parent;
  readonly #verb: RecordWrite['verb'];
  #slots: Slots = [];
  #isMarked = false;

  constructor({ workspaceId }: Pick<Principal, 'workspaceId'>, parent: Parent, verb: RecordWrite['verb']) {
    this.#workspaceId = workspaceId;
    this.#parent = parent;
    this.#verb = verb;
  }

  /** Starts the reads of `look` early. @throws Unavailable */
  async warm(reads: Table): Promise<void> {
    if (this.#verb === 'delete') this.#slots = await readSlots(reads, this.#workspaceId, this.#parent);
    else if (this.#verb !== 'update') this.#isMarked = await isMarked(reads, this.#workspaceId, this.#parent);
  }

  /** Call this for each try, before the search for referrers. @throws Unavailable */
  async look(reads: Table): Promise<void> {
    await this.warm(reads);
    if (hasRecentReference(this.#slots)) await pause(visibleMilliseconds);
    // The log is to be read after the slots, so that it has every noted referrer.
    if (this.#verb === 'delete') reads.forgetRanges();
  }

  /** Parts of the transaction of a write. */
  writes({ status }: AppliedChange): Writes {
    if (status === 'removed') return { marks: removalMarks(this.#workspaceId, this.#parent, this.#slots) };
    const isRecreated = status === 'created' && this.#isMarked;
    return isRecreated ? { marks: endMarks(this.#workspaceId, this.#parent) } : {};
  }
}

/** @returns undefined if no other record can refer to the written one */
export function removalOf(principal: Principal, { kind, id, verb, newIdAt }: RecordWrite): Removal | undefined {
  if (newIdAt || !parentKinds.has(kind)) return undefined;
  return new Removal(principal, { kind: kind as ParentKind, id }, verb);
}
