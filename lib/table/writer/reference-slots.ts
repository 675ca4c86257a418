import { randomUUID } from 'node:crypto';
import { key, own } from '../keys.ts';
import type { Key, Write } from '../table.ts';

/** Kinds whose records cannot be removed while other records refer to them. */
const parentKinds = ['cmsModel', 'menuCategory', 'form', 'channel', 'customer'] as const;
export type ParentKind = (typeof parentKinds)[number];
export const isParentKind = (kind: string): kind is ParentKind => (parentKinds as readonly string[]).includes(kind);

export interface Parent {
  readonly kind: ParentKind;
  readonly id: string;
}

/** Access pattern W6: each slot has the last new reference to the parent, or the mark of its removal. */
export const slotsOf = (workspaceId: string, { kind, id }: Parent): string => own(workspaceId, 'references', kind, id);
export const slotKey = (workspaceId: string, parent: Parent, slot: number): Key =>
  key(slotsOf(workspaceId, parent), String(slot));

/** Transactions that write the same item conflict. So there are several slots, and each writer of a child uses one. */
export const slots = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
/**
 * Longer than any request needs between a parent's read and a child's write, or between the read of the slots and the
 * removal.
 */
export const keptSeconds = 60;
export const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

/** Notes a new reference in the transaction of the child. Its condition fails if the parent was removed. */
export const noteReference =
  (workspaceId: string, parent: Parent): Write =>
  () => ({
    Put: {
      Item: {
        ...slotKey(workspaceId, parent, Math.floor(Math.random() * slots.length)),
        by: randomUUID(),
        ttl: nowSeconds() + keptSeconds,
      },
      ConditionExpression: 'attribute_not_exists(#removed) OR #ttl < :now',
      ExpressionAttributeValues: { ':now': nowSeconds() },
    },
  });
