import { randomUUID } from 'node:crypto';
import { type CustomerDetails, hasIdentity, identitiesOf } from '#lib/domain/messaging/customer-match.ts';
import { type Condition, isNew, isNewOrStill, isStill } from '../dynamodb/conditions.ts';
import { keys, type RecordKind } from '../keys.ts';
import { messagingKeys } from '../messaging/keys.ts';
import { identityHash, isNameOf, isTransferable, type Named, namesOf } from '../record-names.ts';
import { etagOfText } from '../stored-item.ts';
import { type Item, type Key, recordOf, type Table, type TransactItem, type Writes } from '../table.ts';
import { ChangeRefused } from './apply-change.ts';
import type { Plan } from './change.ts';

/** A name that points to another record, and that record. */
interface TakenName {
  readonly pointer: Item;
  readonly owner: Item | undefined;
}

/** The new names of a record that point to other records of its kind. */
export async function takenNames(
  table: Table,
  workspaceId: string,
  kind: RecordKind,
  record: Named | undefined,
  before: object | undefined,
): Promise<TakenName[]> {
  if (!record || !isTransferable(kind)) return [];
  const names = namesOf(kind, record).filter((name) => !before || !isNameOf(kind, before, name));
  const pointers = await Promise.all(names.map((name) => table.get(keys.slug(workspaceId, kind, name))));
  const taken = pointers.filter((pointer) => pointer !== undefined && pointer['id'] !== record.id) as Item[];
  return Promise.all(
    taken.map(async (pointer) => ({
      pointer,
      owner: await table.get(keys.record(workspaceId, kind, String(pointer['id']))),
    })),
  );
}

/**
 * Makes a record's new names point to it, and removes its former ones. An outdated pointer, whose record no longer has
 * the name, is overwritten.
 * @throws ChangeRefused when another record has the name
 */
export function nameWrites(workspaceId: string, kind: RecordKind, { id, before, after, taken }: NameChange): Writes {
  const former = before ? namesOf(kind, before) : [];
  const names = after ? namesOf(kind, after) : [];
  const keyOf = (name: string) => keys.slug(workspaceId, kind, name);
  const isOwn = isNewOrStill('id', id);
  const outdated = new Map(taken.map(({ pointer }) => [pointer.sk, pointer]));
  for (const { pointer, owner } of taken) {
    if (owner && namesOf(kind, recordOf<Named>(owner)).includes(pointer.sk)) throw new ChangeRefused('duplicate');
  }
  return {
    names: names
      .filter((name) => !former.includes(name))
      .map((name) => {
        const owner = outdated.get(name)?.['id'];
        return { Put: { Item: { ...keyOf(name), id }, ...(owner ? isStill('id', owner) : isOwn) } };
      }),
    formerNames: former
      .filter((name) => !names.includes(name))
      .map((name) => ({ Delete: { Key: keyOf(name), ...isOwn } })),
    owners: taken.map(({ pointer, owner }) => ({
      ConditionCheck: {
        Key: keys.record(workspaceId, kind, String(pointer['id'])),
        ...(owner ? isStill('record', owner['record']) : isNew),
      },
    })),
  };
}

interface NameChange {
  readonly id: string;
  readonly before: Named | undefined;
  readonly after: Named | undefined;
  readonly taken: readonly TakenName[];
}

/** Longer than any request needs between a search and the write that depends on it. */
const markSeconds = 3_600;

/** Marks a change, so that a concurrent one that depends on the same search conflicts with it. */
export const changeMark = (key: Key, condition?: Condition): TransactItem => ({
  Put: { Item: { ...key, change: randomUUID(), ttl: Math.ceil(Date.now() / 1_000) + markSeconds }, ...condition },
});

/**
 * Marks the new identities of a customer as changed, so that concurrent look-ups by them conflict with this change.
 * @param seen the marks that the change depends on, by identity; without it, it depends on none
 */
export function customerMarks(
  workspaceId: string,
  before: CustomerDetails | undefined,
  after: CustomerDetails | undefined,
  seen?: ReadonlyMap<string, unknown>,
): TransactItem[] {
  const gained = after ? identitiesOf(after).filter((identity) => !before || !hasIdentity(before, identity)) : [];
  return gained.map(identityHash).map((identity) => {
    const key = messagingKeys.customerChange(workspaceId, identity);
    return changeMark(key, seen && isStill('change', seen.get(identity)));
  });
}

/** The result of changing a record that is stored as JSON text. */
export const appliedOf = (before: object | undefined, after: object | undefined, text: string): Plan['applied'] => ({
  status: after ? (before ? 'replaced' : 'created') : 'removed',
  before,
  after,
  etag: after && etagOfText(text),
});
