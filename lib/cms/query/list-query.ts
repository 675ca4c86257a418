import * as z from 'zod/mini';
import { foldedWords } from '#lib/domain/text/folded-text.ts';
import { cursorOf, foreignCursor, PositionKey, PositionText, positionIn } from '#lib/http/cursor.ts';
import { invalidQuery, type RequestIssue } from '#lib/http/errors.ts';
import type { ValuesOf } from '#lib/http/query.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import { type EntryQuery, type Reading, requestIssueOf, resolveEntryQuery } from '../entry-query.ts';
import type { listParameters } from '../list-parameters.ts';
import { FieldReferences, textOf } from './field-reference.ts';
import { readFilter } from './filter.ts';
import type { ListQuery, Position } from './matches.ts';
import { readSort } from './sort.ts';

export interface ListParameters extends ValuesOf<typeof listParameters> {
  readonly offset?: number | undefined;
  readonly published?: boolean | undefined;
  /** Whether it is the list of management, which also searches ids. No cursor passes from one list to the other. */
  readonly isManaged?: boolean | undefined;
}

export interface PlannedList {
  readonly entryQuery: EntryQuery;
  /** Undefined for all entries, newest first: the list's own index has this order. */
  readonly query: ListQuery | undefined;
  /** The end of the previous page. */
  readonly position: Position | undefined;
  readonly cursorAfter: (position: Position) => Promise<string>;
  /** All issues of the parameters, those of `entryQuery` included. */
  readonly requestIssues: readonly RequestIssue[];
}

/** @param query may have only the valid parameters of an invalid request */
export type ListReading = Reading & { readonly query: ListParameters };

/** Checks the parameters of a list against its database (lib/spec/additions.md section 1). @throws 404 */
export async function planList(request: ListReading): Promise<PlannedList> {
  const { principal, table, query: parameters } = request;
  const { filter = [], sort, search = '', published, isManaged } = parameters;
  const { workspaceId } = principal;
  const [entryQuery, workspace] = await Promise.all([
    resolveEntryQuery(request),
    sort === undefined ? undefined : findWorkspace(table, workspaceId),
  ]);
  const { model, visibility } = entryQuery;
  const { languages } = entryQuery.schema;
  const locale = entryQuery.locale?.language;
  const references = new FieldReferences(model, visibility);
  const conditions = readFilter(filter, references, locale === undefined ? languages : [locale]);
  // Localized fields are sorted in the default language, unless the request has a locale.
  const order = readSort(sort ?? '', references, locale ?? workspace?.defaultLanguage ?? '');
  const words = [...new Set(foldedWords(search))];
  // A cursor is valid only for the same workspace, parameters, and kinds of the fields that sort.
  const list = {
    workspaceId,
    modelId: model.id,
    isManaged,
    published,
    filter: conditions.text,
    sort: order.fields,
    words,
    locale,
  };
  const { position, requestIssues } = await readCursor(list, parameters);
  const query = { conditions: conditions.conditions, words, searchesIds: isManaged, sort: order.fields, languages };
  const isEverything = conditions.conditions.length === 0 && words.length === 0 && order.fields.length === 0;
  return {
    entryQuery,
    query: isEverything ? undefined : query,
    position,
    cursorAfter: ({ key, values }) => cursorOf(list, [key, values.map(plainValue)]),
    requestIssues: [
      ...entryQuery.requestIssues,
      ...[...conditions.issues, ...order.issues].map(requestIssueOf),
      ...requestIssues,
    ],
  };
}

const plainValue = (value: Position['values'][number]) => (typeof value === 'object' && value ? textOf(value) : value);

async function readCursor(
  list: unknown,
  { cursor, offset }: ListParameters,
): Promise<Pick<PlannedList, 'position' | 'requestIssues'>> {
  if (cursor === undefined) return { position: undefined, requestIssues: [] };
  const [key, values] = (await positionIn(list, cursor, CursorPosition)) ?? [];
  const position = key === undefined || values === undefined ? undefined : { key, values };
  const message = 'cursor: Must not be sent together with offset.';
  return {
    position,
    requestIssues: [
      ...(offset === undefined ? [] : [invalidQuery({ path: 'cursor', code: 'not_allowed', message })]),
      ...(position ? [] : [foreignCursor()]),
    ],
  };
}

/** The key of an entry, and its values of the fields that sort the list. */
const CursorPosition = z.tuple([PositionKey, z.array(z.nullable(z.union([PositionText, z.number(), z.boolean()])))]);
