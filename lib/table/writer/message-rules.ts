import { randomUUID } from 'node:crypto';
import type { Message } from '#lib/domain/message.ts';
import { editedNow } from '../edited-at.ts';
import { keys } from '../keys.ts';
import { recordOf } from '../record-of.ts';
import type { Item } from '../schema.ts';
import type { Rules } from './change.ts';
import { appliedOf, etagOfText, recordWrite } from './record-items.ts';
import { stamped } from './time-stamps.ts';

interface Found {
  readonly pointer: Item | undefined;
  readonly item: Item | undefined;
}

/** Messages: stored where their conversation lists them, and found there by a pointer under their id. */
export const messageRules: Rules<Found> = {
  concerned: () => [],
  read: async ({ table, workspaceId }, { id }) => {
    const pointer = await table.get(keys.record(workspaceId, 'message', id));
    const { conversationId, createdAt } = (pointer ?? {}) as unknown as Message;
    const item = pointer && (await table.get(keys.message(workspaceId, conversationId, createdAt, id)));
    const text = item && String(item['record']);
    return { record: item && recordOf(item), etag: text && etagOfText(text), item: { pointer, item } };
  },
  plan: ({ table, workspaceId, context }, { id, record }, { record: before, item: { pointer, item } }) => {
    const isSame = (message: object) => JSON.stringify(message) === item?.['record'];
    const after = record ? (stamped('message', record, before, context.now, isSame) as Message | undefined) : undefined;
    if (record && !after) return undefined;
    const [text, revision] = [JSON.stringify(after), randomUUID()];
    const TableName = table.name;
    const pointerKey = keys.record(workspaceId, 'message', id);
    const place = after && keys.message(workspaceId, after.conversationId, after.createdAt, id);
    const isMoved = item !== undefined && place?.sk !== item.sk;
    const isElsewhere = item !== undefined && place?.pk !== item.pk;
    const leaves = item && (isMoved || isElsewhere);
    const written = after && { text, revision };
    return {
      revision,
      applied: appliedOf(before, after, text),
      writes: {
        record: place ? recordWrite(table, place, leaves ? undefined : item, written) : undefined,
        former: leaves ? recordWrite(table, item, item, undefined) : undefined,
        pointer: after
          ? {
              Put: {
                TableName,
                Item: {
                  ...pointerKey,
                  conversationId: after.conversationId,
                  createdAt: after.createdAt,
                  ...editedNow(),
                },
              },
            }
          : pointer && { Delete: { TableName, Key: pointerKey } },
      },
      logged: () => [],
    };
  },
};
