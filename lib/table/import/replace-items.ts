import { inGroups } from '#lib/domain/in-groups.ts';
import { isStill } from '../dynamodb/conditions.ts';
import { putAll } from '../dynamodb/write-all.ts';
import { ConditionFailed } from '../errors.ts';
import type { Item, Table } from '../table.ts';
import { repeatWrite } from '../writer/repeat-write.ts';

/** A change whose first write replaces a stored item. */
interface Replacement {
  readonly put: readonly Item[];
  /** The version that was read. Undefined if the change replaces nothing. */
  readonly replaced?: Item | undefined;
}

const callsAtOnce = 25;

/**
 * Carries out the changes that replace an item. The condition of each is the version of the item that was read. A
 * batch of writes can have no conditions.
 * @param again makes a change again, from the current version
 * @returns the changes as they were carried out
 * @throws Unavailable if an item keeps changing
 */
export async function replaceItems<Stored extends Item, Change extends Replacement>(
  table: Table,
  changes: readonly Change[],
  again: (change: Change, stored: Stored | undefined) => Change,
): Promise<Change[]> {
  const done: Change[] = [];
  for await (const some of inGroups(changes, callsAtOnce)) {
    done.push(...(await Promise.all(some.map((change) => replace(table, change, again)))));
  }
  return done;
}

async function replace<Stored extends Item, Change extends Replacement>(
  table: Table,
  change: Change,
  again: (change: Change, stored: Stored | undefined) => Change,
): Promise<Change> {
  let current = change;
  // The service may change a record between its read and its write.
  const replaced = await repeatWrite<Change, Change>(table, {
    prepare: () => current,
    write: async (attempted) => {
      const [write] = attempted.put;
      if (!write || !attempted.replaced) return attempted;
      try {
        await table.put(write, isStill('revision', attempted.replaced['revision']));
        return attempted;
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        // The client repeats a write whose reply was lost. The retry then finds the written item.
        if (error.item?.['revision'] === write['revision']) return attempted;
        current = again(attempted, error.item as Stored | undefined);
        return 'changed';
      }
    },
  });
  if (!replaced.replaced && replaced !== change) await putAll(table, replaced.put);
  return replaced;
}
