import { derived } from '#lib/domain/derived.ts';
import {
  type CategoryRow,
  categoryFromTuple,
  categoryRow,
  type MenuRow,
  type ProductRow,
  productFromTuple,
  productRow,
} from '#lib/domain/menu/menu-row.ts';
import { isSoldOut } from '#lib/domain/menu/sold-out.ts';
import { textsIn } from '#lib/domain/text/language-tag.ts';
import { Collection, type CollectionState } from '../collection/collection.ts';
import {
  type CollectionHead,
  type CollectionScope,
  type Directory,
  loadPart,
  loadParts,
  repeatStaleRead,
} from '../collection/head.ts';
import { type MenuKind, menuCollection } from '../keys.ts';
import type { LoggedChange, LoggedRecord } from '../log/change-log.ts';
import { containerMemory } from '../memory/container-memory.ts';
import { recordOf, type Table, type WorkspaceScope } from '../table.ts';
import { shownItem } from './menu.ts';

/** The data of menu lists: every product and category of a workspace in one version. */
export interface MenuIndex {
  /** Identifies the rows and the language. It is exact only while `isExact`. */
  readonly version: string;
  readonly isExact: boolean;
  /** The workspace's default language. */
  readonly language: string;
  readonly languages: readonly string[];
  readonly products: readonly ProductRow[];
  readonly categories: readonly CategoryRow[];
}

/** The head of the menu contains the workspace's languages, so that a list needs no other read for them. */
export interface MenuHead extends CollectionHead, Partial<MenuLanguages> {
  /** The id of the last swap by an import. */
  readonly menu?: string;
}

/** The workspace's default language, and all its languages separated by commas. */
export type MenuLanguages = Readonly<Record<'language' | 'languages', string>>;

export interface StoredMenu {
  readonly products: Directory;
  readonly categories: Directory;
  readonly former: readonly string[];
}

export interface MenuBase {
  readonly stored: StoredMenu;
  readonly products: readonly ProductRow[];
  readonly categories: readonly CategoryRow[];
  /** The chunks by part id, for the next base, which reuses most of them. */
  readonly chunks: ReadonlyMap<string, LoadedChunk>;
}

interface LoadedChunk {
  readonly rows: readonly MenuRow[];
  readonly bytes: number;
}

/** The stored menu. Changed rows are by `kind id`. */
export type MenuState = CollectionState<MenuBase, ProductRow | CategoryRow>;

/** The size of a usual row in memory, for rows whose text is not loaded yet. Rows with many languages are larger. */
const rowBytes = 1_300;
/** The size of parsed rows in memory for each byte of their text. `derivedBytes` are added for each row. */
const parsedFactor = 1.3;
const derivedBytes = 100;

const noStoredMenu: StoredMenu = { products: [], categories: [], former: [] };
export const menuScope = ({ workspaceId }: WorkspaceScope): CollectionScope => ({
  workspaceId,
  collection: menuCollection,
});

export const menuAddress = (kind: string, id: string): string => `${kind} ${id}`;

/** How a changed record is found and read, with or without the rows of the base. */
export const menuChanges = {
  rowBytes,
  addressOf: ({ kind, id }: LoggedRecord) => menuAddress(kind, id),
  concerns: ({ kind }: LoggedChange) => kind === 'menuProduct' || kind === 'menuCategory',
  readRow: async (table: Table, scope: CollectionScope, { kind, id }: LoggedChange) => {
    const item = await shownItem(table, scope, { kind: kind as MenuKind, id });
    if (!item) return { revision: null, row: undefined };
    const hash = String(item['hash']);
    return {
      // A hash can repeat, a revision cannot. Imports store no revision, because they log none of these records.
      revision: String(item['revision'] ?? hash),
      row: kind === 'menuProduct' ? productRow(recordOf(item), hash) : categoryRow(recordOf(item), hash),
    };
  },
};

export async function loadStoredMenu(table: Table, scope: CollectionScope, { directory }: CollectionHead) {
  if (directory === undefined) return { content: noStoredMenu, bytes: 0 };
  return loadPart<StoredMenu>(table, scope, directory);
}

const menus = new Collection<MenuBase, ProductRow | CategoryRow>({
  ...menuChanges,
  loadBase: async ({ table, scope, head, previous }) => {
    const { content: stored } = await loadStoredMenu(table, scope, head);
    containerMemory.makeRoom(
      rowBytes * [...stored.products, ...stored.categories].reduce((sum, [, count]) => sum + count, 1),
    );
    const chunks = new Map<string, LoadedChunk>();
    const rowsOf = async <Tuple, Row extends MenuRow>(list: Directory, fromTuple: (tuple: Tuple) => Row) => {
      const partIds = list.map(([partId]) => partId);
      const missing = partIds.filter((partId) => !previous?.chunks.has(partId));
      const loaded = (await loadParts<Tuple[]>(table, scope, missing)).map(
        ({ content, bytes }): LoadedChunk => ({
          rows: content.map(fromTuple),
          bytes: parsedFactor * bytes + derivedBytes * content.length,
        }),
      );
      const added = new Map(missing.map((partId, index) => [partId, loaded[index] as LoadedChunk]));
      return partIds.flatMap((partId) => {
        const chunk = added.get(partId) ?? (previous?.chunks.get(partId) as LoadedChunk);
        chunks.set(partId, chunk);
        return chunk.rows as readonly Row[];
      });
    };
    const [products, categories] = await Promise.all([
      rowsOf(stored.products, productFromTuple),
      rowsOf(stored.categories, categoryFromTuple),
    ]);
    const bytes = chunks.values().reduce((sum, chunk) => sum + chunk.bytes, rowBytes);
    return { value: { stored, products, categories, chunks }, bytes };
  },
});

/**
 * Runs a read on one version of the current menu. If an import replaces the menu in between, the read is repeated.
 */
export const readMenu = <Result>(
  table: Table,
  scope: WorkspaceScope,
  reading: (index: MenuIndex) => Promise<Result>,
): Promise<Result> =>
  repeatStaleRead(table, async () =>
    reading(menuAt(shownMenu(await readMenuIndex(table, scope)), new Date().toISOString())),
  );

/** Takes one read of the log if nothing has changed; otherwise it also reads the changed records. @throws StaleRead */
export const readMenuIndex = async (table: Table, scope: WorkspaceScope): Promise<MenuIndex> =>
  indexOf(await readMenuState(table, scope));

/** @throws StaleRead */
export const readMenuState = (table: Table, scope: WorkspaceScope): Promise<MenuState> =>
  menus.read(table, menuScope(scope));

/** Made once for each state, so that data derived from the index is also made once. */
const indexOf = derived((state: MenuState): MenuIndex => {
  const { language = '', languages } = state.head as MenuHead;
  return {
    version: `${state.tag} ${language}`,
    isExact: state.isExact,
    language,
    languages: languages?.split(',') ?? [],
    products: currentRows<ProductRow>('menuProduct', state.base.products, state),
    categories: currentRows<CategoryRow>('menuCategory', state.base.categories, state),
  };
});

function currentRows<Row extends MenuRow>(
  kind: MenuKind,
  base: readonly Row[],
  { changed }: MenuState,
): readonly Row[] {
  if (changed.size === 0) return base;
  const rows = base.filter(({ id }) => !changed.has(menuAddress(kind, id)));
  return inListOrder([...rows, ...changedRows<Row>(kind, changed)]);
}

export function* changedRows<Row extends MenuRow>(kind: MenuKind, changed: MenuState['changed']): Generator<Row> {
  const prefix = menuAddress(kind, '');
  for (const [address, row] of changed) if (row && address.startsWith(prefix)) yield row as MenuRow as Row;
}

/** Oldest first, so that new records change the last chunk only. */
const inListOrder = <Row extends MenuRow>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => (positionOf(a) < positionOf(b) ? -1 : 1));

export const positionOf = ({ createdAt, id }: Pick<MenuRow, 'createdAt' | 'id'>): string => `${createdAt}#${id}`;

/**
 * A menu without names in removed languages, so that lists are neither searched nor sorted by them. They stay stored,
 * because no record is rewritten (lib/spec/additions.md section 2, models).
 */
const shownMenu = derived((stored: MenuIndex): MenuIndex => {
  const products = shownRows(stored.products, stored.languages);
  const categories = shownRows(stored.categories, stored.languages);
  if (products === stored.products && categories === stored.categories) return stored;
  return { ...stored, products, categories };
});

function shownRows<Row extends MenuRow>(rows: readonly Row[], languages: readonly string[]): readonly Row[] {
  const shown = (row: Row): Row => {
    const name = textsIn(row.name, languages);
    if (name === row.name) return row;
    return { ...row, name, folded: Object.keys(row.name).flatMap((key, at) => (key in name ? row.folded[at] : [])) };
  };
  return rows.every((row) => shown(row) === row) ? rows : rows.map(shown);
}

/** A menu that is valid from one time until another. */
interface TimedMenu {
  readonly index: MenuIndex;
  readonly from: string;
  readonly to: string;
}

/** The last menu derived from each stored one. */
const timedMenus = derived((_: MenuIndex): { last: TimedMenu | undefined } => ({ last: undefined }));

/**
 * A stored menu at a time: products become available at their `soldoutUntil` (lib/spec/additions.md section 2).
 * The version contains the last such time, so that ETags change with it.
 * @param now such as `2026-01-31T09:00:00.000Z`
 */
function menuAt(stored: MenuIndex, now: string): MenuIndex {
  const cached = timedMenus(stored);
  if (!cached.last || now < cached.last.from || now >= cached.last.to) cached.last = timedMenu(stored, now);
  return cached.last.index;
}

function timedMenu(stored: MenuIndex, now: string): TimedMenu {
  let from = '';
  let to = '~';
  for (const { soldout, soldoutUntil } of stored.products) {
    if (!soldout || soldoutUntil === null) continue;
    if (soldoutUntil <= now && soldoutUntil > from) from = soldoutUntil;
    if (soldoutUntil > now && soldoutUntil < to) to = soldoutUntil;
  }
  if (from === '') return { index: stored, from, to };
  const products = stored.products.map((row) =>
    row.soldout && !isSoldOut(row, now) ? { ...row, soldout: false } : row,
  );
  return { index: { ...stored, version: `${stored.version} ${from}`, products }, from, to };
}
