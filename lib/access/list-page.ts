import { foldedWords, foldText } from '#lib/domain/text/folded-text.ts';
import { cursorOf, foreignCursor, positionOf } from '#lib/http/cursor.ts';

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
  const after = cursor === undefined ? undefined : positionInCursor(listKey, cursor);
  const words = foldedWords(q ?? '');
  const found = records
    .filter((record) => hasWords(searched(record), words))
    .map((record) => ({ record, position: [foldText(record.name), record.id] as const }))
    .filter(({ position }) => after === undefined || compare(position, after) > 0)
    .sort((a, b) => compare(a.position, b.position));
  const page = found.slice(0, limit);
  const last = page.at(-1)?.position;
  return {
    data: page.map(({ record }) => record),
    next: last && found.length > limit ? cursorOf(listKey, last) : null,
  };
}

/** Whether every word is in one of the texts. */
export function hasWords(texts: readonly (string | null)[], words: readonly string[]): boolean {
  const folded = texts.map((text) => foldText(text ?? ''));
  return words.every((word) => folded.some((text) => text.includes(word)));
}

/** @throws 400 for a cursor of another list */
export function positionInCursor(listKey: unknown, cursor: string): readonly string[] {
  const position = positionOf(listKey, cursor);
  if (Array.isArray(position)) return position as string[];
  throw foreignCursor();
}

const compare = (a: readonly string[], b: readonly string[]): number => {
  const name = order(a[0] ?? '', b[0] ?? '');
  const id = order(a[1] ?? '', b[1] ?? '');
  return name === 0 ? id : name;
};

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
