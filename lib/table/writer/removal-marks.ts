import { randomUUID } from 'node:crypto';
import { isStill } from '../dynamodb/conditions.ts';
import { keys } from '../keys.ts';
import type { Item, Key } from '../schema.ts';
import type { Table, TransactItem, Write } from '../table.ts';

/** Kinds whose records cannot be removed while other records refer to them. */
export type ParentKind = 'cmsModel' | 'menuCategory' | 'form' | 'channel' | 'customer';

export interface Parent {
  readonly kind: ParentKind;
  readonly id: string;
}

/** Access pattern W6: each slot has the last new reference to the parent, or the mark of its removal. */
const slotKey = (workspaceId: string, { kind, id }: Parent, slot: number): Key =>
  keys.referenceSlot(workspaceId, kind, id, slot);

/** Transactions that write the same item conflict. So there are several slots, and each writer of a child uses one. */
const slots = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
/**
 * Longer than any request needs between a parent's read and a child's write, or between `readSlots` and the removal.
 */
const keptSeconds = 60;
/** Marks stay longer, for a writer that slept after it had read the parent. */
const markedSeconds = 600;
/** A reference that was noted so recently may have been read before its record became visible. Clocks differ. */
const recentSeconds = 32;

const now = (): number => Math.floor(Date.now() / 1_000);

/** The stored slots of a parent. */
export type Slots = readonly Item[];

/** Notes a new reference in the transaction of the child. Its condition fails if the parent was removed. */
export const noteReference =
  (workspaceId: string, parent: Parent): Write =>
  () => ({
    Put: {
      Item: {
        ...slotKey(workspaceId, parent, Math.floor(Math.random() * slots.length)),
        by: randomUUID(),
        ttl: now() + keptSeconds,
      },
      ConditionExpression: 'attribute_not_exists(#removed) OR #ttl < :now',
      ExpressionAttributeNames: { '#removed': 'removed', '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':now': now() },
    },
  });

/** Reads the slots before the search for referrers. The request caches them. */
export const readSlots = (table: Table, workspaceId: string, parent: Parent): Promise<Slots> =>
  table.range({ pk: keys.referenceSlots(workspaceId, parent.kind, parent.id) });

/** Whether a reference was noted just now. */
export const hasRecentReference = (stored: Slots): boolean =>
  stored.some(({ ttl, removed }) => !removed && Number(ttl) > now() + keptSeconds - recentSeconds);

/**
 * Part of the transaction that removes the parent. Its condition fails if a reference was noted since the slots were
 * read. The marks outlast the removal, for writers that read the parent before it.
 */
export const removalMarks = (workspaceId: string, parent: Parent, stored: Slots): TransactItem[] => {
  const mark = { by: randomUUID(), ttl: now() + markedSeconds, removed: true };
  return slots.map((slot) => {
    const key = slotKey(workspaceId, parent, slot);
    const before = stored.find(({ sk }) => sk === key.sk);
    return { Put: { Item: { ...key, ...mark }, ...isStill('by', before?.['by']) } };
  });
};

/** Whether the parent was removed recently, so that a record with its id is to end its marks. */
export const isMarked = async (table: Table, workspaceId: string, parent: Parent): Promise<boolean> =>
  (await table.get(slotKey(workspaceId, parent, 0)))?.['removed'] !== undefined;

/** Ends the marks in the transaction that creates the parent again. */
export const endMarks = (workspaceId: string, parent: Parent): TransactItem[] =>
  slots.map((slot) => ({ Delete: { Key: slotKey(workspaceId, parent, slot) } }));
