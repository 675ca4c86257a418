import { type CollectionScope, headKey } from '#lib/table/collection/head.ts';
import { putAll, removeAll } from '#lib/table/dynamodb/write-all.ts';
import { keys } from '#lib/table/keys.ts';
import { idAt, trustedMilliseconds } from '#lib/table/log/change-log.ts';
import type { Item } from '#lib/table/schema.ts';
import { testTable } from './world.ts';

const before = () => Date.now() - 2 * trustedMilliseconds;

/**
 * Imitates that minutes have passed since the last change of a base, of a key and the last import, so that warm
 * containers need no head and no key.
 */
export async function ageState(workspaceId: string): Promise<void> {
  await age((await logItems(workspaceId)).filter(isOfKey));
  await testTable().update(keys.logState(workspaceId), {
    UpdateExpression: 'SET #epoch = :epoch, #imported = :epoch',
    ExpressionAttributeNames: { '#epoch': 'epoch', '#imported': 'imported' },
    ExpressionAttributeValues: { ':epoch': `${idAt(before())}${Math.random().toString(16).slice(2, 10)}` },
  });
}

/** Imitates that minutes have passed since a base became current, so that it can be compacted. */
export async function ageBase(scope: CollectionScope): Promise<void> {
  if (!(await testTable().uncached().get(headKey(scope)))) return;
  await testTable().update(headKey(scope), {
    UpdateExpression: 'SET since = :then',
    ExpressionAttributeValues: { ':then': before() },
  });
}

async function logItems(workspaceId: string): Promise<Item[]> {
  const items = await testTable().all({ pk: keys.log(workspaceId) });
  return items.filter(({ sk }) => sk !== keys.logState(workspaceId).sk);
}

const isOfKey = ({ kind }: Item): boolean => kind === 'access';

/** The items of the log about records, without those of keys and members. */
export const loggedChanges = async (workspaceId: string): Promise<Item[]> =>
  (await logItems(workspaceId)).filter((item) => !isOfKey(item));

/** Imitates that minutes have passed since all changes in the log. */
export const ageChanges = async (workspaceId: string): Promise<void> => age(await logItems(workspaceId));

async function age(items: readonly Item[]): Promise<void> {
  const aged = items.map((item) => ({ ...item, sk: `${idAt(before())}${item.sk.slice(9)}` }));
  await removeAll(testTable(), items);
  await putAll(testTable(), aged);
}
