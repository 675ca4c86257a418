import * as z from 'zod/mini';
import { isObject, type JsonObject } from '#lib/domain/input.ts';
import { compareCodePoints, cutToBytes } from '#lib/domain/text/code-points.ts';
import { foldText, hasWords } from '#lib/domain/text/folded-text.ts';
import { RecordId } from '#lib/domain/text/identifier.ts';
import { shownEmail } from '#lib/domain/text/shown-email.ts';
import { PositionText, PositionTime } from '#lib/http/cursor.ts';
import { type PageRequest, pageOf } from '#lib/http/page.ts';
import { kindOf, type ManagedKind, managed } from '#lib/kinds/kinds.ts';
import { inLanguages } from '#lib/records/in-languages.ts';
import { keys } from '#lib/table/keys.ts';
import type { RecordKind } from '#lib/table/record-kinds.ts';
import { recordOf } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import type { ManageRequest } from '../managed-record.ts';
import { nameOf } from '../record-name.ts';

export interface Dated {
  readonly id: string;
  readonly createdAt: string;
}

/** The position of a record in a list by time. */
export type TimePosition = [createdAt: string, id: string];

/** The order of records by their time, newest first, ties by id. */
export const newestFirst = {
  position: z.tuple([PositionTime, RecordId]),
  of: ({ createdAt, id }: Dated): TimePosition => [createdAt, id],
  compare: ([timeA, idA]: TimePosition, [timeB, idB]: TimePosition): number =>
    compareCodePoints(timeB, timeA) || compareCodePoints(idB, idA),
};

/** The caller of a list, and its table. */
export type ListRequest = Pick<ManageRequest, 'principal' | 'table'>;

export interface ListQuery extends PageRequest {
  /** The folded words of `q`. */
  readonly words: readonly string[];
  /** The parameters of this kind alone. */
  readonly kindParameters: Readonly<Record<string, unknown>>;
}

/** @returns the records, and the cursor of the next page, null on the last one */
export type ReadPage = (
  request: ListRequest,
  query: ListQuery,
) => Promise<{ readonly records: readonly object[]; readonly next: string | null }>;

/** The kinds whose lists read their records. */
export type PlainKind = ManagedKind & RecordKind;

/** Whether a list has a record, by the words and the parameters of its query (lib/kinds). */
export function matcherOf(kind: ManagedKind, { words, kindParameters }: ListQuery): (record: JsonObject) => boolean {
  const { searched = ['id', 'name'], listParameters = {} } = managed(kind);
  const conditions = Object.entries(kindParameters).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const { matches = (record: JsonObject) => record[name] === value } = listParameters[name] ?? {};
    return [(record: JsonObject) => matches(record, value)];
  });
  return (record) =>
    conditions.every((matches) => matches(record)) &&
    hasWords(
      searched.flatMap((member) => textsIn(record[member])),
      words,
    );
}

/** All texts of a value: of its items, or in its languages. People also search for a domain as they see it. */
function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (isObject(value)) return Object.values(value).flatMap(textsIn);
  if (value === undefined || value === null) return [];
  const text = String(value);
  return text.includes('xn--') ? [text, shownEmail(text)] : [text];
}

/** The number of items in a page of the engine; it ends at 1 MB anyway. */
export const perPage = 10_000;

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
