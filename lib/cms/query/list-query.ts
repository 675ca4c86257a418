import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { Issue } from '#lib/domain/issue.ts';
import { foldedWords } from '#lib/domain/text/folded-text.ts';
import { cursorOf, positionOf } from '#lib/http/cursor.ts';
import type { RequestIssue } from '#lib/http/errors.ts';
import type { FamilyMember } from '#lib/http/query.ts';
import type { Table } from '#lib/table/table.ts';
import { readDefaultLanguage } from '#lib/table/workspaces.ts';
import type { EntryQuery } from '../entry-query.ts';
import { FieldReferences } from './field-reference.ts';
import { readFilter } from './filter.ts';
import { textOf } from './filter-value.ts';
import type { ListQuery, Position } from './matches.ts';
import { readSort, sortText } from './sort.ts';

/** The parameters that select and sort entries. */
export interface ListParameters {
  readonly offset?: number | undefined;
  readonly filter?: readonly FamilyMember[] | undefined;
  readonly sort?: string | undefined;
  readonly search?: string | undefined;
  readonly cursor?: string | undefined;
  readonly published?: boolean | undefined;
}

/** A list with its checked parameters. */
export interface PlannedList {
  /** Undefined for all entries, newest first: the list's own index has this order. */
  readonly query: ListQuery | undefined;
  /** The end of the previous page. */
  readonly position: Position | undefined;
  /** Makes the cursor of the page that follows a position. */
  readonly cursorAfter: (position: Position) => string;
  readonly usesUpdatedAt: boolean;
  /** All issues of the parameters. */
  readonly requestIssues: readonly RequestIssue[];
}

export const isPlain = ({ filter, sort, search }: ListParameters): boolean =>
  filter === undefined && sort === undefined && search === undefined;

/** Whether a parameter may name `updatedAt`. It is decided before the parameters are parsed. */
export const mentionsUpdatedAt = ({ filter = [], sort = '' }: ListParameters): boolean =>
  sort.includes('updatedAt') || filter.some(({ name }) => name.includes('updatedAt'));

/** The language for sorting localized fields; it is read in parallel with the schema. */
export const sortLanguage = async (table: Table, scope: WorkspaceScope, { sort }: ListParameters): Promise<string> =>
  sort === undefined ? '' : readDefaultLanguage(table, scope);

/**
 * Checks the parameters of a list against its database (lib/spec/additions.md section 1).
 * @param scope the workspace. A cursor is valid only for the same workspace and parameters
 * @param defaultLanguage the language for sorting localized fields, unless the request has a locale
 */
export function planList(
  { workspaceId }: WorkspaceScope,
  {
    schema,
    model,
    visibility,
    locale: requestedLocale,
  }: Pick<EntryQuery, 'schema' | 'model' | 'visibility' | 'locale'>,
  parameters: ListParameters,
  defaultLanguage: string,
): PlannedList {
  const { filter = [], sort = '', search = '', published } = parameters;
  const locale = requestedLocale?.language;
  const references = new FieldReferences(model, visibility);
  const { languages } = schema;
  const conditions = readFilter(filter, references, locale === undefined ? languages : [locale]);
  const order = readSort(sort, references, locale ?? defaultLanguage);
  const words = [...new Set(foldedWords(search))];
  const list = {
    workspaceId,
    modelId: model.id,
    published,
    filter: conditions.text,
    sort: sortText(order.fields),
    words,
    locale,
  };
  const { position, issues } = readCursor(list, order.fields.length, parameters);
  const columns = [
    ...conditions.conditions.flatMap((condition) => condition.columns),
    ...order.fields.map(({ column }) => column),
  ];
  const query = { conditions: conditions.conditions, words, sort: order.fields, languages };
  const isEverything = conditions.conditions.length === 0 && words.length === 0 && order.fields.length === 0;
  return {
    query: isEverything ? undefined : query,
    position,
    cursorAfter: ({ key, values }) => cursorOf(list, [key, ...values.map(plainValue)]),
    usesUpdatedAt: columns.includes('updatedAt'),
    requestIssues: [...conditions.issues, ...order.issues, ...issues].map(requestIssueOf),
  };
}

const requestIssueOf = (issue: Issue): RequestIssue => ({
  ...issue,
  errorCode: issue.code === 'unknown_field' ? 'unknown_field' : 'invalid_query',
});

const plainValue = (value: Position['values'][number]) => (typeof value === 'object' && value ? textOf(value) : value);

function readCursor(
  list: unknown,
  valueCount: number,
  { cursor, offset }: ListParameters,
): { readonly position: Position | undefined; readonly issues: readonly Issue[] } {
  if (cursor === undefined) return { position: undefined, issues: [] };
  const issues: Issue[] = [];
  const refuse = (code: Issue['code'], message: string) => issues.push({ path: 'cursor', code, message });
  if (offset !== undefined) refuse('not_allowed', 'cursor: Must not be sent together with offset.');
  const position = positionIn(positionOf(list, cursor), valueCount);
  if (!position) refuse('format', 'cursor: Must be the x-cms-next-cursor of a page of the same list.');
  return { position, issues };
}

/** A cursor's checksum proves nothing, so its content is checked. */
function positionIn(decoded: unknown, valueCount: number): Position | undefined {
  if (!Array.isArray(decoded) || decoded.length !== valueCount + 1) return undefined;
  const [key, ...values] = decoded as unknown[];
  const arePlain = values.every((value) => value === null || typeof value !== 'object');
  return typeof key === 'string' && arePlain ? { key, values: values as Position['values'] } : undefined;
}
