import { foldedWords, foldText, hasWords } from '#lib/domain/text/folded-text.ts';
import { cursorOf, foreignCursor, positionOf } from '#lib/http/cursor.ts';
import { type NamePosition, pageInNameOrder } from '#lib/manage/lists/name-order.ts';

export interface ListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly q?: string | undefined;
}

interface Listed {
  readonly id: string;
  readonly name: string;
}

/** A page of a few records by their folded name, ties by id (lib/spec/additions.md section 2, lists). @throws 400 */
export function pageByName<R extends Listed>(
  records: readonly R[],
  { limit, cursor, q }: ListQuery,
  list: readonly unknown[],
  searched: (record: R) => readonly (string | null)[],
): { readonly data: R[]; readonly next: string | null } {
  const listKey = [...list, q ?? ''];
  const after = cursor === undefined ? undefined : (positionInCursor(listKey, cursor) as NamePosition);
  const words = foldedWords(q ?? '');
  const found = records
    .filter((record) => hasWords(textsOf(searched(record)), words))
    .map((record) => ({ name: foldText(record.name), id: record.id, record }));
  const page = pageInNameOrder(found, limit, after);
  return { data: page.records, next: page.next ? cursorOf(listKey, page.next) : null };
}

const textsOf = (texts: readonly (string | null)[]): string[] => texts.filter((text) => text !== null);

/** @throws 400 for a cursor of another list */
export function positionInCursor(listKey: unknown, cursor: string): readonly string[] {
  const position = positionOf(listKey, cursor);
  if (Array.isArray(position)) return position as string[];
  throw foreignCursor();
}
