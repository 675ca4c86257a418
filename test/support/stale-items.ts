import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { Key } from '#lib/table/schema.ts';
import type { FaultProxy } from './fault-proxy.ts';
import type { Input } from './table-call.ts';
import { testTable } from './world.ts';

const engine = new DynamoDBClient({ endpoint: process.env['AWS_ENDPOINT_URL_DYNAMODB'] });

/** An item in the format of the engine. */
type WireItem = Readonly<Record<string, Input>>;

/** Reads items without the proxy. A missing item cannot be shown later. */
export async function storedItems(keys: readonly Key[]): Promise<readonly WireItem[]> {
  const items = keys.map(async ({ pk, sk }) => {
    const Key = { pk: { S: pk }, sk: { S: sk } };
    const { Item } = await engine.send(new GetItemCommand({ TableName: testTable().name, Key, ConsistentRead: true }));
    return Item ?? [];
  });
  return (await Promise.all(items)).flat();
}

/**
 * From now on, reads through the proxy return the former version of these items. DynamoDB makes a transaction visible
 * item by item. So a reader may see one item after the transaction, and then another one before it.
 */
export function serveStaleItems(proxy: FaultProxy, items: readonly WireItem[]): void {
  const before = new Map(items.map((item) => [addressOf(item), item]));
  const shown = (item: WireItem): WireItem => before.get(addressOf(item)) ?? item;
  const by = ({ Items, Responses, ...output }: Input): Input => ({
    ...output,
    ...(Items && { Items: Items.map(shown) }),
    ...(Responses && {
      Responses: Object.fromEntries(
        Object.entries(Responses).map(([table, found]) => [table, (found as WireItem[]).map(shown)]),
      ),
    }),
  });
  proxy.chance = ({ operation }) =>
    ['BatchGetItem', 'Query'].includes(operation) ? { kind: 'rewritten', by } : undefined;
}

const addressOf = ({ pk, sk }: WireItem): string => `${pk.S} ${sk.S}`;
