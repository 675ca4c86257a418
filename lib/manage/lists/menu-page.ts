import { countWhile } from '#lib/domain/count-while.ts';
import type { MenuRow, ProductRow } from '#lib/domain/menu/menu-row.ts';
import { foldText, hasFoldedWords } from '#lib/domain/text/folded-text.ts';
import { pageOf } from '#lib/http/page.ts';
import { kindOf } from '#lib/kinds/kinds.ts';
import { listRows, type RowList } from '#lib/menu/sorted-rows.ts';
import { inLanguages } from '#lib/records/in-languages.ts';
import { ListedRecords } from '#lib/table/menu/listed-records.ts';
import { type MenuIndex, readMenu } from '#lib/table/menu/menu-index.ts';
import { languagesFor } from '../shown-record.ts';
import { type ListQuery, type ListRequest, newestFirst, type ReadPage, type TimePosition } from './list-query.ts';

/** Newest first. The index filters and sorts, so a page takes one small read of the index, and one of its records. */
const menuPage =
  <Row extends MenuRow>(
    kind: 'menuProduct' | 'menuCategory',
    rowsOf: (index: MenuIndex) => readonly Row[],
    isWanted: (row: Row, own: ListQuery['kindParameters']) => boolean,
  ): ReadPage =>
  ({ table, principal }: ListRequest, query: ListQuery) => {
    const { words, kindParameters: own } = query;
    const menu = new ListedRecords(table, principal);
    return readMenu(table, principal, async (index) => {
      const list = listRows<Row>(rowsOf(index), {
        sortBy: 'createdAt',
        sortOrder: 'desc',
        index,
        filter: (row) => isWanted(row, own) && rowHasWords(row, words),
        filterText: `manage ${JSON.stringify([words, own])}`,
      });
      const { rows, next } = await pageOf(query, {
        order: newestFirst,
        after: (position, count) => {
          const from = position ? countUpTo(list, position) : 0;
          return list.slice(from, from + count);
        },
      });
      const [languages, ...stored] = await Promise.all([
        languagesFor(kindOf(kind), table, principal),
        ...rows.map((row) => menu.record<object>(kind, row)),
      ]);
      return { records: stored.map((record) => inLanguages(kindOf(kind), record, languages)), next };
    });
  };

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
const countUpTo = (list: RowList<MenuRow>, position: TimePosition): number =>
  countWhile(list.total, (index) => {
    const [row] = list.slice(index, index + 1);
    return row !== undefined && newestFirst.compare(newestFirst.of(row), position) <= 0;
  });
