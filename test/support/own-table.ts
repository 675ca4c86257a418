import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { createTable } from '#lib/table/dynamodb/create-table.ts';
import { putAll, removeAll } from '#lib/table/dynamodb/write-all.ts';
import type { Item } from '#lib/table/schema.ts';
import { testTable } from './world.ts';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}), { unmarshallOptions: { wrapNumbers: Number } });

const ownPrefix = 'own-';

/** Makes a table that this test file alone uses from now on, so that it can look at every item. */
export async function openOwnTable(): Promise<void> {
  const name = `${ownPrefix}${randomUUID()}`;
  await createTable(name);
  process.env['TABLE_NAME'] = name;
}

/** Every item of the table, which has to be the file's own: all files before it have filled that of the worker. */
export async function allItems(): Promise<Item[]> {
  if (!testTable().name.startsWith(ownPrefix)) throw new Error('Call openOwnTable() before the table is scanned.');
  const items: Item[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName: testTable().name, ConsistentRead: true, ExclusiveStartKey }),
    );
    items.push(...((page.Items ?? []) as Item[]));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

/** Replaces the contents of the table by these items. */
export async function restoreItems(items: readonly Item[]): Promise<void> {
  const wanted = new Set(items.map(addressOf));
  const strange = (await allItems()).filter((item) => !wanted.has(addressOf(item)));
  await removeAll(testTable(), strange);
  await putAll(testTable(), items);
}

const addressOf = ({ pk, sk }: Item): string => `${pk} ${sk}`;

/**
 * Items in a form that two imports of the same content share. It omits values that differ between imports: versions,
 * ids of parts that contain versions, epochs of columns, and times from `since` on. It also omits audit events, versions, uses
 * of keys, notes of references, logged changes of keys and members, and guards of members without keys. They depend on the
 * history.
 */
export function comparable(items: readonly Item[], since: string): string[] {
  const contents = items.filter(({ pk }) => !/^(?:AUDIT|USED|VERSIONS)#|#references#/.test(pk)).filter(isContent);
  return contents.map((item) => comparableItem(item, since)).sort();
}

const isContent = ({ pk, kind, count }: Item): boolean =>
  !(pk.endsWith('#log') && kind === 'access') && !(pk.endsWith('#memberKeys') && !count);

function comparableItem(stored: Item, since: string) {
  const {
    version,
    revision,
    checkpoint,
    epoch,
    imported,
    menu,
    renewedAt,
    base,
    since: _,
    owner,
    until,
    directory,
    partId,
    content,
    ...item
  } = stored;
  const rows = content instanceof Uint8Array ? JSON.parse(gunzipSync(content).toString()) : undefined;
  const text = JSON.stringify({ ...item, rows }, (_, value) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return (
    text
      .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'UUID')
      .replaceAll(/(?<=")0[\da-z]{8}[\da-f]{12}(?=")/g, 'ID')
      .replaceAll(/"\d{13}\.[\da-z]+"/g, '"EPOCH"')
      .replaceAll(/PART#[\w-]+|"[\w-]{30}",(?=\d)/g, 'PART')
      // Notes of ten minutes are one item, whose time may be before `since`.
      .replaceAll(/(?<="pk":"DUE#compaction#\d","sk":")[\dT:.-]+Z/g, 'TIME')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => (time >= since ? 'NOW' : time))
  );
}
