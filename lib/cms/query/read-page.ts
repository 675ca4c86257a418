import { isDeepStrictEqual } from 'node:util';
import { started } from '#lib/domain/started.ts';
import { lacksPermission } from '#lib/http/permissions.ts';
import { ColumnStore, columnRow } from '#lib/table/cms/column-store.ts';
import { readEntryColumns } from '#lib/table/cms/entry-columns.ts';
import { type EntryPage, EntryPages } from '#lib/table/cms/entry-pages.ts';
import type { StoredEntry } from '#lib/table/cms/stored-entry.ts';
import { repeatStaleRead, StaleRead } from '#lib/table/collection/head.ts';
import { readLog } from '#lib/table/log/read-log.ts';
import { type EntryQuery, throwIfAny } from '../entry-query.ts';
import { visibilityOf } from '../visibility.ts';
import type { Condition } from './filter.ts';
import { type ListReading, type PlannedList, planList } from './list-query.ts';
import { type ListQuery, Matches, type Position } from './matches.ts';

type PageRequest = ListReading & { readonly query: { readonly limit: number } };

interface ListPage {
  readonly entryQuery: EntryQuery;
  readonly entries: readonly StoredEntry[];
  readonly total: number;
  /** Undefined for a page by cursor. */
  readonly offset: number | undefined;
  /** Undefined on the last page. */
  readonly nextCursor: string | undefined;
}

/**
 * Reads one page. A page without a query needs only the list's index, so it is read in parallel with the schema.
 * @throws 403 for unpublished entries alone without the permission; 400 with all issues of the parameters
 */
export async function readPage(request: PageRequest): Promise<ListPage> {
  const { principal, table, params, query } = request;
  const { limit, offset = 0, cursor, filter, sort, search } = query;
  const { drafts } = visibilityOf(principal, query.includeHidden);
  if (query.published === false && !drafts) throw lacksPermission('cms:entry:read-unpublished', principal.kind);
  const published = drafts ? query.published : true;
  const entries = new EntryPages(table, principal);
  const isByOffset = [cursor, filter, sort, search].every((parameter) => parameter === undefined);
  const early = started(
    isByOffset ? entries.page(params.modelId, { offset, limit, published }) : readLog(table, principal),
  );
  const plan = await planList(request);
  throwIfAny(plan.requestIssues);
  const page: FoundPage = plan.query
    ? await queriedPage(request, plan, plan.query, published)
    : isByOffset
      ? ((await early) as EntryPage)
      : await entries.page(params.modelId, { offset, limit, published, after: plan.position?.key });
  const { lastKey: key, lastValues: values = [] } = page;
  return {
    entryQuery: plan.entryQuery,
    entries: page.entries,
    total: page.total,
    offset: plan.position ? undefined : offset,
    nextCursor: key === undefined || page.isLast ? undefined : await plan.cursorAfter({ key, values }),
  };
}

interface FoundPage extends EntryPage {
  /** The values of the last entry by which the list is sorted. */
  readonly lastValues?: Position['values'] | undefined;
}

/** Filters and sorts by the columns of the list. The entries of the page are read by their keys. */
function queriedPage(
  { principal, table, query: { limit, offset = 0 } }: PageRequest,
  { entryQuery: { model }, position }: PlannedList,
  requested: ListQuery,
  published: boolean | undefined,
): Promise<FoundPage> {
  const conditions = published === undefined ? requested.conditions : [...requested.conditions, isPublished(published)];
  const query = { ...requested, conditions };
  const entries = new EntryPages(table, principal);
  return repeatStaleRead(table, async (isStrict) => {
    const columns = await readEntryColumns(table, principal, model);
    const matches = new Matches(columns, query);
    const start = position ? matches.upTo(position) : offset;
    const positions = matches.slice(start, start + limit);
    const found = await entries.at(
      model.id,
      positions.map(({ key }) => key),
    );
    const { fields } = columns.base;
    const read = new ColumnStore(
      found.map((entry) => columnRow(entry, fields)),
      fields,
    );
    const listed = new Matches({ base: read, replaced: new Set(), changed: new ColumnStore([], fields) }, query);
    const current = listed.slice(0, found.length);
    // An entry may have changed since its row was read.
    const isInPlace = isDeepStrictEqual(current, positions);
    if (!isInPlace && isStrict && columns.isExact) throw new StaleRead();
    const fitting = isInPlace ? found : found.filter(({ sk }) => current.some(({ key }) => key === sk));
    const isLast = start + positions.length >= matches.total;
    const last = positions.at(-1);
    return { entries: fitting, total: matches.total, lastKey: last?.key, lastValues: last?.values, isLast };
  });
}

const isPublished = (published: boolean): Condition => ({
  columns: ['published'],
  test: { of: 'value', passes: (value) => value === published },
  isNegated: false,
});
