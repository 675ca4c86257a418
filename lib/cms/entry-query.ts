import type { Principal } from '#lib/domain/access/principal.ts';
import type { Field, Model } from '#lib/domain/cms/cms-model.ts';
import type { Issue } from '#lib/domain/input.ts';
import { started } from '#lib/domain/started.ts';
import type { Locale } from '#lib/domain/text/locale.ts';
import { badRequest, notFound, type RequestIssue } from '#lib/http/errors.ts';
import { type LocaleQuery, readLocale } from '#lib/http/locale.ts';
import type { ValuesOf } from '#lib/http/query.ts';
import { type CmsSchema, lastSeenCmsSchema, readCmsSchema } from '#lib/table/cms/cms-schema.ts';
import type { StoredEntry } from '#lib/table/cms/stored-entry.ts';
import type { ChangeLog } from '#lib/table/log/change-log.ts';
import { readLog } from '#lib/table/log/read-log.ts';
import type { Table } from '#lib/table/table.ts';
import { Expansion, relatedRecords } from './expansion.ts';
import { entryFragment } from './fragment.ts';
import type { entryParameters } from './parameters.ts';
import { type EntrySelection, selectionFor } from './selection.ts';
import { type Visibility, visibilityOf } from './visibility.ts';

export interface Reading {
  readonly principal: Principal;
  readonly table: Table;
  readonly params: { readonly modelId: string };
  readonly query: LocaleQuery & ValuesOf<typeof entryParameters>;
}

/** The parameters of every CMS route, checked before entries are read. */
export interface EntryQuery {
  readonly schema: CmsSchema;
  readonly model: Model;
  readonly visibility: Visibility;
  readonly selection: EntrySelection;
  /** Undefined if texts are shown in all languages. */
  readonly locale: Locale | undefined;
  /** Issues of the names in `fields` and of the languages. */
  readonly requestIssues: readonly RequestIssue[];
  /** The log, by which cached entries are current, if the cached schema says that the answer shows relations. */
  readonly log: Promise<ChangeLog> | undefined;
}

/** @throws 404 if the workspace does not have the CMS database */
export async function resolveEntryQuery({ principal, table, params, query }: Reading): Promise<EntryQuery> {
  const visibility = visibilityOf(principal, query.includeHidden);
  // It has the version of the schema, so it comes first.
  const log = showsRelations(table, principal, params.modelId, query) ? started(readLog(table, principal)) : undefined;
  const schema = await readCmsSchema(table, principal);
  const model = schema.models.get(params.modelId);
  if (!model) throw notFound('CMS database');
  const { selection, issues } = selectionFor(schema, model, visibility, query.fields);
  const { locale, requestIssues: ofLocale } = readLocale(query, schema.languages);
  const requestIssues = [...ofLocale, ...issues.map(requestIssueOf)];
  return { schema, model, visibility, selection, locale, requestIssues, log };
}

function showsRelations(table: Table, scope: Principal, modelId: string, { maxDepth, fields }: Reading['query']) {
  const model = lastSeenCmsSchema(table, scope)?.models.get(modelId);
  const isShown = ({ key, relation }: Field) => relation !== undefined && (!fields || fields.names.has(key));
  return maxDepth !== 0 && model?.fields.some(isShown) === true;
}

/** The issue of a parameter that names fields of the database. */
export const requestIssueOf = (issue: Issue): RequestIssue => ({
  ...issue,
  errorCode: issue.code === 'unknown_field' ? 'unknown_field' : 'invalid_query',
});

export function throwIfAny(requestIssues: readonly RequestIssue[]): void {
  if (requestIssues.length > 0) throw badRequest(requestIssues);
}

/** Entries as JSON texts with expanded relations, and the depth that was used (lib/spec/decisions.md section 3). */
export interface ExpandedEntries {
  readonly texts: readonly string[];
  readonly depth: number;
}

/** Lowers the depth until the answer fits. The answer to an update is never refused for its size. */
export async function expandAsDeepAsFits(
  { principal, table }: Pick<Reading, 'principal' | 'table'>,
  { schema: { languages }, visibility, selection, locale }: EntryQuery,
  entries: readonly StoredEntry[],
  depthMax: number,
): Promise<ExpandedEntries | undefined> {
  const renderOptions = { languages, locale };
  const roots = new Map(entries.map((entry) => [entry.id, entryFragment(entry, selection, renderOptions)]));
  const expansion = new Expansion(roots, selection, relatedRecords(table, principal, visibility, renderOptions));
  const depth = await expansion.deepestFit(depthMax);
  return depth === undefined ? undefined : { texts: expansion.render(depth), depth };
}

/** The strong ETag of a stored version. It does not depend on the shown fields (lib/spec/decisions.md section 3). */
export const entityTag = ({ revision }: StoredEntry): string => `"${revision}"`;
