import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import { foldText } from '#lib/domain/text/folded-text.ts';
import type { RecordKind } from '#lib/table/keys.ts';
import { keys } from '#lib/table/keys.ts';
import { recordOf } from '#lib/table/record-of.ts';
import type { ListQuery, ListRequest, ReadPage } from './list-query.ts';

/** So many items of a page of the engine; it ends at 1 MB anyway. */
const perPage = 10_000;

interface Dated {
  readonly id: string;
  readonly createdAt: string;
}

export interface NewestPage<Stored extends Dated> {
  readonly isWanted?: (record: Stored, own: ListQuery['own']) => boolean;
  /** The texts that `q` searches. */
  readonly texts: (record: Stored) => readonly string[];
  /** The records of a page as they are shown. */
  readonly show?: (request: ListRequest, records: readonly Stored[]) => Promise<readonly object[]>;
}

/**
 * Newest first, ties by id. Ids that a document has given say nothing of time, so all records of the kind are read and
 * the page is taken from them.
 */
export const newestPage =
  <Stored extends Dated>(kind: RecordKind, { isWanted = () => true, texts, show }: NewestPage<Stored>): ReadPage =>
  async (request, { limit, after, words, own }) => {
    const from = after === undefined ? undefined : dated(after as readonly [string, string]);
    const following: Stored[] = [];
    const range = { pk: keys.records(request.principal.workspaceId, kind), perPage };
    for await (const item of request.table.query(range)) {
      const record = recordOf<Stored>(item);
      if ((!from || compare(record, from) > 0) && isWanted(record, own) && hasWords(texts(record), words)) {
        following.push(record);
      }
    }
    const page = following.sort(compare).slice(0, limit);
    const last = page.at(-1);
    const records = show ? await show(request, page) : page;
    return { records, next: last && following.length > limit ? [last.createdAt, last.id] : undefined };
  };

const dated = ([createdAt, id]: readonly [string, string]): Dated => ({ createdAt, id });

const compare = (a: Dated, b: Dated): number =>
  compareCodePoints(b.createdAt, a.createdAt) || compareCodePoints(b.id, a.id);

function hasWords(texts: readonly string[], words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const folded = texts.map(foldText);
  return words.every((word) => folded.some((text) => text.includes(word)));
}
