import * as z from 'zod/mini';
import type { JsonObject } from '#lib/domain/input.ts';
import { compareCodePoints, cutToBytes } from '#lib/domain/text/code-points.ts';
import { foldText } from '#lib/domain/text/folded-text.ts';
import { RecordId } from '#lib/domain/text/identifier.ts';
import { PositionText } from '#lib/http/cursor.ts';
import { pageOf } from '#lib/http/page.ts';
import { kindOf } from '#lib/kinds/kinds.ts';
import { inLanguages } from '#lib/records/in-languages.ts';
import { keys } from '#lib/table/keys.ts';
import { recordOf } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import { nameOf } from '../record-name.ts';
import { matcherOf, type PlainKind, type ReadPage } from './list-query.ts';

/** The number of items in a page of the engine; it ends at 1 MB anyway. */
const perPage = 10_000;

/**
 * The order is by the folded name, else title, else identifier, in the workspace's default language, ties by id. It
 * reads all records of the kind. So it suits small kinds, and searches without an index.
 */
export const pageByName =
  (kind: PlainKind): ReadPage =>
  async ({ table, principal: { workspaceId } }, query) => {
    const [workspace, records] = await Promise.all([
      findWorkspace(table, workspaceId),
      Array.fromAsync(table.query({ pk: keys.records(workspaceId, kind), perPage }), (item) =>
        recordOf<JsonObject>(item),
      ),
    ]);
    const { languages = [], defaultLanguage: language = '' } = workspace ?? {};
    const rows = records
      .map((record) => inLanguages(kindOf(kind), record, languages))
      .filter(matcherOf(kind, query))
      .map((record): Row => ({ record, at: positionOf(record, language) }));
    const page = await pageOf<Row, NamePosition>(query, {
      order: { position: z.tuple([PositionText, RecordId]), of: ({ at }) => at },
      after: (position) =>
        rows.filter(({ at }) => !position || compare(at, position) > 0).sort((a, b) => compare(a.at, b.at)),
    });
    return { records: page.rows.map(({ record }) => record), next: page.next };
  };

type NamePosition = [name: string, id: string];

interface Row {
  readonly record: JsonObject;
  readonly at: NamePosition;
}

/** A cursor has a maximum length, so longer names are compared up to here. */
const namedBytesMax = 700;

const positionOf = (record: JsonObject, language: string): NamePosition => [
  cutToBytes(foldText(nameOf(record, language) ?? '').trim(), namedBytesMax),
  String(record['id']),
];

const compare = ([nameA, idA]: NamePosition, [nameB, idB]: NamePosition): number =>
  compareCodePoints(nameA, nameB) || compareCodePoints(idA, idB);
