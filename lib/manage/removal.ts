import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { Kind } from '#lib/records/document-kinds.ts';
import { Unavailable } from '#lib/table/errors.ts';
import { keys } from '#lib/table/keys.ts';
import type { Table, Writes } from '#lib/table/table.ts';
import type { AppliedChange } from '#lib/table/writer/change.ts';
import { isMarked, markRemoval, type Parent, type ParentKind, unmarkRemoval } from '#lib/table/writer/removal-marks.ts';

/** With the pauses, about as long as a request may take. */
const triesMax = 40;
const pauseMilliseconds = 60;

const parentKinds: ReadonlySet<Kind> = new Set<ParentKind>(['menuCategory', 'form', 'channel', 'customer']);

/** A request whose time is over waits so long for its marks to go, which may take a little longer. */
export const withdrawal = { waitedForMilliseconds: 250, milliseconds: 2_000 } as const;

export const parentOf = (kind: Kind, id: string): Parent | undefined =>
  parentKinds.has(kind) ? { kind: kind as ParentKind, id } : undefined;

/**
 * Prevents writes of records that refer to a parent during its removal, so that the search for referrers finds all of
 * them. A new parent with the same id ends that.
 */
export class Removal {
  readonly #table: Table;
  readonly #workspaceId: string;
  readonly #parent: Parent;
  #beginning: Promise<boolean> | undefined;
  #looking: Promise<boolean> | undefined;
  #isMarked = false;

  constructor(table: Table, { workspaceId }: Pick<Principal, 'workspaceId'>, parent: Parent) {
    this.#table = table;
    this.#workspaceId = workspaceId;
    this.#parent = parent;
  }

  /**
   * Announces the removal, in parallel with the first reads. A deletion takes a fourth round trip for it: after the key
   * and before the search for referrers, which finds all of them only after the marks are stored. A category's change
   * is settled, too.
   */
  begin(): void {
    this.#beginning = this.#mark();
    this.#beginning.catch(() => undefined);
  }

  /** One of two concurrent removals waits: it then finds the parent removed, or marks it. */
  async #mark(): Promise<boolean> {
    const { kind, id } = this.#parent;
    const by = randomUUID();
    for (let tries = 0; tries < triesMax; tries++) {
      if (await markRemoval(this.#table, this.#workspaceId, this.#parent, by)) return true;
      if (!(await this.#table.fresh().get(keys.record(this.#workspaceId, kind, id)))) return false;
      await pause(pauseMilliseconds);
    }
    throw new Unavailable('Another removal of the record has not ended yet.');
  }

  /** Checks, with the first reads, whether the parent was removed a short time ago. */
  look(): void {
    this.#looking = isMarked(this.#table, this.#workspaceId, this.#parent);
    this.#looking.catch(() => undefined);
  }

  /** @throws Unavailable */
  async begun(): Promise<void> {
    await this.#beginning;
    this.#isMarked = (await this.#looking) === true;
  }

  /** Parts of the transaction of a write. */
  writes({ status }: AppliedChange): Writes {
    const isAnew = status === 'created' && this.#isMarked;
    return isAnew ? { removal: unmarkRemoval(this.#table, this.#workspaceId, this.#parent) } : {};
  }

  /** The parent stays, whether or not the request has time left. Marks that cannot be removed end by themselves. */
  async withdraw(): Promise<void> {
    const isOwn = await this.#beginning?.catch(() => false);
    if (!isOwn) return;
    const marks = unmarkRemoval(this.#table, this.#workspaceId, this.#parent);
    const withdrawing = this.#table.lasting(withdrawal.milliseconds).transact({ marks });
    await Promise.race([withdrawing.catch(() => undefined), pause(withdrawal.waitedForMilliseconds)]);
  }
}
