import type { MenuProduct } from '#lib/domain/menu/menu-records.ts';
import { hashOfRecord } from '#lib/domain/menu/menu-row.ts';
import type { StoredEntry } from '../cms/stored-entry.ts';
import { scheduleWrites } from '../due/schedule-writes.ts';
import { isNew } from '../dynamodb/conditions.ts';
import { keys, type MenuKind } from '../keys.ts';
import { Menu } from '../menu/menu.ts';
import { foundRecord, revisionOf } from '../stored-item.ts';
import type { StorageRules } from './change.ts';
import { entryItemRules } from './entry-rules.ts';
import { planOf, type Rules, recordKey, recordRules } from './record-rules.ts';
import { noteReference } from './reference-slots.ts';

// Records that may change at a time, and are logged for the indexes of their lists.

/** Products and categories, the rows of the menu. */
export const menuRules: Rules = {
  ...recordRules,
  read: async (scope, address) => {
    const { kind, id } = address;
    const menu = new Menu(scope.table, scope);
    const [item, shown] = await Promise.all([
      scope.table.get(recordKey(scope, address)),
      // After an interrupted import, lists may show another version than the record's item has.
      kind === 'menuProduct' ? menu.findProduct(id) : menu.findCategory(id),
    ]);
    return foundRecord(item, shown);
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
