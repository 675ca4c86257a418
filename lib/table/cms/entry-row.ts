/**
 * A row of an entry list: the sort key of the entry. An unpublished entry has `#` after it. No id holds `#`, and `#`
 * sorts before every character of an id, so rows sort like their keys.
 */
export type Row = string;

const draftMark = '#';

export const rowOf = ({ sk, published }: { readonly sk: string; readonly published: boolean }): Row =>
  published ? sk : `${sk}${draftMark}`;

export const isPublished = (row: Row): boolean => !row.endsWith(draftMark);

export const sortKeyOf = (row: Row): string => (isPublished(row) ? row : row.slice(0, -draftMark.length));

export const createdAtOf = (row: Row): string => row.slice(0, row.indexOf('#'));

export const idOf = (row: Row): string => sortKeyOf(row).slice(row.indexOf('#') + 1);

export const publishedCount = (rows: readonly Row[]): number => rows.filter(isPublished).length;
