import type { MenuRow, ProductRow } from '#lib/domain/menu/menu-row.ts';
import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import { foldText, hasFoldedWords } from '#lib/domain/text/folded-text.ts';
import { listRows, type RowList } from '#lib/menu/sorted-rows.ts';
import { inLanguages } from '#lib/records/in-languages.ts';
import { Menu } from '#lib/table/menu/menu.ts';
import type { MenuIndex } from '#lib/table/menu/menu-index.ts';
import { languagesFor } from '../shown-record.ts';
import type { ListQuery, ListRequest, ReadPage } from './list-query.ts';

/** Newest first. The index filters and sorts, so a page takes one small read of the index, and one of its records. */
const menuPage =
  <Row extends MenuRow>(
    kind: 'menuProduct' | 'menuCategory',
    rowsOf: (index: MenuIndex) => readonly Row[],
    isWanted: (row: Row, own: ListQuery['kindParameters']) => boolean,
  ): ReadPage =>
  ({ table, principal }: ListRequest, { limit, after, words, kindParameters: own }: ListQuery) => {
    const menu = new Menu(table, principal);
    return menu.read(async (index) => {
      const list = listRows<Row>(rowsOf(index), {
        sortBy: 'createdAt',
        sortOrder: 'desc',
        index,
        filter: (row) => isWanted(row, own) && rowHasWords(row, words),
        filterText: `manage ${JSON.stringify([words, own])}`,
      });
      const from = after === undefined ? 0 : positionAfter(list, after as Position);
      const rows = list.slice(from, from + limit);
      const [languages, ...stored] = await Promise.all([
        languagesFor(kind, table, principal),
        ...rows.map((row) => menu.record<object>(kind, row)),
      ]);
      const records = stored.map((record) => inLanguages(kind, record, languages));
      const last = rows.at(-1);
      return { records, next: last && from + limit < list.total ? [last.createdAt, last.id] : undefined };
    });
  };

type Position = readonly [createdAt: string, id: string];

export const productPage = menuPage<ProductRow>(
  'menuProduct',
  ({ products }) => products,
  (row, { categoryId, published, soldout }) =>
    (categoryId === undefined || row.categoryId === categoryId) &&
    (published === undefined || row.published === published) &&
    (soldout === undefined || row.soldout === soldout),
);

export const categoryPage = menuPage(
  'menuCategory',
  ({ categories }) => categories,
  () => true,
);

const rowHasWords = ({ folded, slug, id }: MenuRow, words: readonly string[]): boolean =>
  words.length === 0 || hasFoldedWords([...folded, foldText(slug), foldText(id)], words);

/** The number of rows, newest first, up to a position. The record at the position may have been removed. */
function positionAfter(list: RowList<MenuRow>, [createdAt, id]: Position): number {
  let low = 0;
  let high = list.total;
  while (low < high) {
    const middle = (low + high) >> 1;
    const [row] = list.slice(middle, middle + 1);
    const isUpTo =
      row !== undefined && (compareCodePoints(row.createdAt, createdAt) || compareCodePoints(row.id, id)) >= 0;
    if (isUpTo) low = middle + 1;
    else high = middle;
  }
  return low;
}
