import { randomUUID } from 'node:crypto';
import type { CustomerDetails } from '#lib/domain/messaging/customer-match.ts';
import { keys, type RecordKind } from '../keys.ts';
import type { Named } from '../record-names.ts';
import { recordOf } from '../record-of.ts';
import type { Item } from '../schema.ts';
import type { StampedKind, StorageRules } from './change.ts';
import { appliedOf, customerMatchGuards, etagOfText, nameWrites, recordWrite, takenNames } from './record-items.ts';
import { stamped } from './time-stamps.ts';

interface Found {
  readonly item: Item | undefined;
  readonly taken: Awaited<ReturnType<typeof takenNames>>;
}

/** Records that are found by id, and some of them by unique names: forms, agents, channels, customers and others. */
export const recordRules: StorageRules<Found> = {
  affectedCollections: () => [],
  read: async ({ table, workspaceId }, change) => {
    const kind = change.kind as RecordKind;
    const item = await table.get(keys.record(workspaceId, kind, change.id));
    const record = item && recordOf<object>(item);
    const taken = await takenNames(table, workspaceId, kind, change.record as Named | null, record);
    const text = item && String(item['record']);
    return { record, etag: text && etagOfText(text), item: { item, taken } };
  },
  plan: ({ workspaceId, context }, change, { record: before, item: { item, taken } }) => {
    const kind = change.kind as RecordKind;
    const isSame = (record: object) => JSON.stringify(record) === item?.['record'];
    const after = change.record ? stamped(kind as StampedKind, change.record, before, context.now, isSame) : undefined;
    if (change.record && !after) return undefined;
    const text = JSON.stringify(after);
    const revision = randomUUID();
    const names = { id: change.id, before: before as Named | undefined, after: after as Named | undefined, taken };
    return {
      revision,
      applied: appliedOf(before, after, text),
      writes: {
        record: recordWrite(keys.record(workspaceId, kind, change.id), item, after && { text, revision }),
        ...nameWrites(workspaceId, kind, names),
        marks:
          kind === 'customer'
            ? customerMatchGuards(
                workspaceId,
                before as CustomerDetails | undefined,
                after as CustomerDetails | undefined,
              )
            : [],
      },
      logged: () => [],
    };
  },
};
