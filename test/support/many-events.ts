import { operator } from '#lib/domain/access/audit-event.ts';
import { putAll } from '#lib/table/dynamodb/write-all.ts';
import { eventWrite } from '#lib/table/events/event-writes.ts';
import type { Item } from '#lib/table/schema.ts';
import { testTable } from './world.ts';

/** Stores events of a member, as a busy workspace has them. @returns their ids */
export async function storeEvents(workspaceId: string, count: number): Promise<string[]> {
  const items = Array.from({ length: count }, () => {
    const event = { kind: 'members', recordId: 'mem_1', action: 'updated', changed: ['name'] } as const;
    return eventWrite({ workspaceId }, { ...event, actor: operator, requestId: null }).Put?.Item as Item;
  });
  await putAll(testTable(), items);
  return items.map(({ sk }) => sk);
}
