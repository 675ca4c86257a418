import { randomUUID } from 'node:crypto';
import { positionAt } from '#lib/domain/events/position.ts';
import type { MenuProduct } from '#lib/domain/menu/menu-product.ts';
import { hashOfRecord } from '#lib/domain/menu/menu-row.ts';
import type { CustomerDetails } from '#lib/domain/messaging/customer-match.ts';
import { webhooksMax } from '#lib/domain/webhooks/webhook.ts';
import type { StoredEntry } from '../cms/stored-entry.ts';
import { scheduleWrites } from '../due/schedule-writes.ts';
import { isNew } from '../dynamodb/conditions.ts';
import { keys, type MenuKind, type RecordKind } from '../keys.ts';
import { Menu } from '../menu/menu.ts';
import type { Named } from '../record-names.ts';
import { keptRecordOf } from '../retention.ts';
import type { Item } from '../schema.ts';
import { etagOfText, revisionOf } from '../stored-item.ts';
import type { TransactItem } from '../table.ts';
import { webhookKeys } from '../webhooks/keys.ts';
import {
  ChangeRefused,
  type Plan,
  type RecordAddress,
  type RecordChange,
  type StorageRules,
  type StoredRecord,
  type WriteScope,
} from './change.ts';
import { entryItemRules } from './entry-rules.ts';
import { appliedOf, customerMarks, nameWrites, recordWrite, takenNames } from './record-items.ts';
import { noteReference } from './reference-slots.ts';
import { stamped } from './time-stamps.ts';

type Rules = StorageRules<Item | undefined>;

/** Records that are found by id, and some of them by unique names: forms, agents, channels, customers and others. */
export const recordRules: Rules = {
  ownKeys: (workspaceId, address) => [recordKey({ workspaceId }, address)],
  read: async (scope, address) => {
    const item = await scope.table.get(recordKey(scope, address));
    return found(item, keptRecordOf(address.kind as RecordKind, item));
  },
  plan: (scope, change, stored) =>
    planOf(scope, change, stored, (before, after) => ({
      writes: {
        marks: change.kind === 'customer' ? customerMarks(scope.workspaceId, before as Details, after as Details) : [],
      },
      logged: [],
    })),
};

type Details = CustomerDetails | undefined;

/** Products and categories, the rows of the menu. */
export const menuRules: Rules = {
  ownKeys: recordRules.ownKeys,
  read: async (scope, address) => {
    const { kind, id } = address;
    const menu = new Menu(scope.table, scope);
    const [item, shown] = await Promise.all([
      scope.table.get(recordKey(scope, address)),
      // After an interrupted import, lists may show another version than the record's item has.
      kind === 'menuProduct' ? menu.findProduct(id) : menu.findCategory(id),
    ]);
    return found(item, shown);
  },
  plan: (scope, change, stored) =>
    planOf(scope, change, stored, (before, after, revision) => {
      const formerRevision = revisionOf(stored.item);
      // A category has none of the members that are used here.
      const [former, next] = [before, after] as (Partial<MenuProduct> | undefined)[];
      const category = next?.categoryId;
      const isNew = category !== undefined && category !== former?.categoryId;
      return {
        attributes: after && { hash: hashOfRecord(JSON.stringify(after)) },
        writes: {
          parents: isNew ? [noteReference(scope.workspaceId, { kind: 'menuCategory', id: category })] : [],
          schedule: scheduleWrites(scope.workspaceId, { kind: 'menuProduct', id: change.id }, former, next),
        },
        logged: [
          {
            kind: change.kind as MenuKind,
            id: change.id,
            revision: after ? revision : null,
            ...(formerRevision !== undefined && { before: formerRevision }),
          },
        ],
      };
    }),
};

/** Entries: each is found by its id through a pointer, and may change at a time. */
export const entryRules: StorageRules<StoredEntry | undefined> = {
  ...entryItemRules,
  plan: async (scope, change, stored) => {
    const plan = await entryItemRules.plan(scope, change, stored);
    if (!plan) return undefined;
    const { workspaceId } = scope;
    const { modelId = '', id } = change;
    const [before, after] = [plan.applied.before, plan.applied.after] as (StoredEntry | undefined)[];
    const pointer = keys.cmsEntryPointer(workspaceId, modelId, id);
    const isMade = before === undefined && after !== undefined;
    return {
      ...plan,
      writes: {
        ...plan.writes,
        // It has the creation time, by which the entry is stored.
        ...(isMade && { pointer: { Put: { Item: { ...pointer, createdAt: after.createdAt }, ...isNew } } }),
        ...(!after && { pointer: { Delete: { Key: pointer } } }),
        parents: isMade ? [noteReference(workspaceId, { kind: 'cmsModel', id: modelId })] : [],
        schedule: scheduleWrites(workspaceId, { kind: 'cmsEntry', modelId, id }, before, after),
      },
    };
  },
};

/** Webhooks, which are counted. */
export const webhookRules: Rules = {
  ownKeys: recordRules.ownKeys,
  guards: (workspaceId) => [webhookKeys.follower(workspaceId)],
  read: recordRules.read,
  plan: async (scope, change, stored) => {
    const isNew = change.record !== null && !stored.record;
    const count = isNew ? Number((await scope.table.get(webhookKeys.follower(scope.workspaceId)))?.['count'] ?? 0) : 0;
    if (count >= webhooksMax) throw new ChangeRefused('too_many_webhooks');
    return planOf(scope, change, stored, (before, after) => ({
      writes: {
        count:
          before && after ? [] : [countWebhook(scope, after ? 1 : -1, { now: scope.context.now, max: webhooksMax })],
      },
      logged: [],
    }));
  },
};

/**
 * For the transaction that makes or removes a webhook: counts it. From the first one on, the events of the workspace are
 * followed. The bound also holds for concurrent calls.
 */
function countWebhook(
  { workspaceId }: WriteScope,
  by: 1 | -1,
  { now, max }: { readonly now: string; readonly max: number },
): TransactItem {
  return {
    Update: {
      Key: webhookKeys.follower(workspaceId),
      UpdateExpression:
        'SET #position = if_not_exists(#position, :position), workspaceId = :workspaceId, revision = :revision ADD #count :by',
      ...(by > 0 && { ConditionExpression: 'attribute_not_exists(#count) OR #count < :max' }),
      ExpressionAttributeNames: { '#position': 'position', '#count': 'count' },
      ExpressionAttributeValues: {
        ':position': positionAt(Date.parse(now)),
        ':workspaceId': workspaceId,
        ':revision': randomUUID(),
        ':by': by,
        ...(by > 0 && { ':max': max }),
      },
    },
  };
}

const recordKey = ({ workspaceId }: Pick<WriteScope, 'workspaceId'>, { kind, id }: RecordAddress) =>
  keys.record(workspaceId, kind as RecordKind, id);

const found = (item: Item | undefined, record: object | undefined): StoredRecord<Item | undefined> => ({
  record,
  etag: record && etagOfText(JSON.stringify(record)),
  revision: revisionOf(item),
  item,
});

/** What a kind adds to the plan of its records. */
interface Additions extends Pick<Plan, 'writes' | 'logged'> {
  /** Further attributes of the record's item. */
  readonly attributes?: object | undefined;
}

/** Plans the write of a record and of its names. @returns undefined if the change changes nothing */
async function planOf(
  scope: WriteScope,
  change: RecordChange,
  { record: before, item }: StoredRecord<Item | undefined>,
  additionsOf: (before: object | undefined, after: object | undefined, revision: string) => Additions,
): Promise<Plan | undefined> {
  const { table, workspaceId, context } = scope;
  const kind = change.kind as RecordKind;
  const isSame = (record: object) => JSON.stringify(record) === JSON.stringify(before);
  const after = change.record ? stamped(change.record, before, context.now, isSame) : undefined;
  if (change.record && !after) return undefined;
  const taken = await takenNames(table, workspaceId, kind, after as Named | undefined, before);
  const text = JSON.stringify(after);
  const revision = randomUUID();
  const { attributes, writes, logged } = additionsOf(before, after, revision);
  const names = { id: change.id, before: before as Named | undefined, after: after as Named | undefined, taken };
  return {
    revision,
    applied: appliedOf(before, after, text),
    writes: {
      record: recordWrite(recordKey(scope, change), item, after && { text, revision, more: attributes }),
      ...nameWrites(workspaceId, kind, names),
      ...writes,
    },
    logged,
  };
}
