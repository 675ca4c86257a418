import { randomUUID } from 'node:crypto';
import type { MenuProduct } from '#lib/domain/menu/menu-product.ts';
import { hashOfRecord } from '#lib/domain/menu/menu-row.ts';
import { keys, type MenuKind } from '../keys.ts';
import { Menu } from '../menu/menu.ts';
import { menuScope } from '../menu/menu-index.ts';
import type { Named } from '../record-names.ts';
import type { Item } from '../schema.ts';
import type { StorageRules } from './change.ts';
import { appliedOf, etagOfText, nameWrites, recordWrite, takenNames } from './record-items.ts';
import { noteReference } from './removal-marks.ts';
import { stamped } from './time-stamps.ts';

interface Found {
  readonly item: Item | undefined;
  readonly taken: Awaited<ReturnType<typeof takenNames>>;
}

const categoryOf = (record: object | undefined) => (record as Partial<MenuProduct> | undefined)?.categoryId;

const categoryChecks = (workspaceId: string, id: string | undefined) =>
  id === undefined ? [] : [noteReference(workspaceId, { kind: 'menuCategory', id })];

/** Products and categories, the rows of the menu. */
export const menuRules: StorageRules<Found> = {
  affectedCollections: ({ workspaceId }) => [{ scope: menuScope({ workspaceId }), effect: 'rows' }],
  read: async ({ table, workspaceId }, { kind, id, record }) => {
    const menu = new Menu(table, { workspaceId });
    const [item, shown] = await Promise.all([
      table.get(keys.record(workspaceId, kind as MenuKind, id)),
      // After an interrupted import, lists may show another version than the record's item has.
      kind === 'menuProduct' ? menu.findProduct(id) : menu.findCategory(id),
    ]);
    const taken = await takenNames(table, workspaceId, kind as MenuKind, record as Named | null, shown);
    return { record: shown, etag: shown && etagOfText(JSON.stringify(shown)), item: { item, taken } };
  },
  plan: ({ workspaceId, context }, change, { record: before, item: { item, taken } }) => {
    const kind = change.kind as MenuKind;
    const isSame = (record: object) => JSON.stringify(record) === JSON.stringify(before);
    const after = change.record ? stamped(kind, change.record, before, context.now, isSame) : undefined;
    if (change.record && !after) return undefined;
    const text = JSON.stringify(after);
    const revision = randomUUID();
    const written = after && { text, revision, more: { hash: hashOfRecord(text) } };
    const names = { id: change.id, before: before as Named | undefined, after: after as Named | undefined, taken };
    return {
      revision,
      applied: appliedOf(before, after, text),
      writes: {
        record: recordWrite(keys.record(workspaceId, kind, change.id), item, written),
        ...nameWrites(workspaceId, kind, names),
        parents: categoryOf(before) === categoryOf(after) ? [] : categoryChecks(workspaceId, categoryOf(after)),
      },
      logged: () => [{ kind, id: change.id, revision: after ? revision : null }],
    };
  },
};
