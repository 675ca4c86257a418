import { operator } from '#lib/domain/access/audit-event.ts';
import { putAll } from '#lib/table/dynamodb/write-all.ts';
import { eventWrite } from '#lib/table/events/event-writes.ts';
import type { Item } from '#lib/table/schema.ts';
import { testTable } from './world.ts';

/** Stores events of products in turn, as a busy workspace has them. */
export async function storeEvents(workspaceId: string, count: number, ids: readonly string[]): Promise<void> {
  const items = Array.from({ length: count }, (_, index) => {
    const recordId = ids[index % ids.length] ?? '';
    const event = { kind: 'menu-products', recordId, action: 'updated', changed: ['name'] } as const;
    return eventWrite({ workspaceId }, { ...event, actor: operator, requestId: null }).Put?.Item as Item;
  });
  await putAll(testTable(), items);
}
