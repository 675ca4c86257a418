import { planList } from '#lib/cms/query/list-query.ts';
import { readPage } from '#lib/cms/query/read-page.ts';
import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { JsonObject } from '#lib/domain/input.ts';
import { foldedWords } from '#lib/domain/text/folded-text.ts';
import type { RequestIssue } from '#lib/http/errors.ts';
import type { FamilyMember } from '#lib/http/query.ts';
import { entryRules } from '../scheduled-kinds.ts';
import type { ListRequest, ReadPage } from './list-query.ts';

/** The further parameters of this list: those of CMS lists (lib/spec/additions.md section 1). */
interface EntryParameters {
  readonly modelId: string;
  readonly published?: boolean;
  readonly filter?: readonly FamilyMember[];
  readonly sort?: string;
  /** The same as `q`; both together are one search. */
  readonly search?: string;
  /** The language that texts are compared in; records have all of them. */
  readonly locale?: string;
}

/**
 * The entries of one database, newest first without `sort`. It is the list of websites, with records in document form.
 * It has drafts and hidden fields for callers that may see them.
 */
export const entryPage: ReadPage = async ({ table, principal }, { limit, cursor, words, kindParameters: own }) => {
  const listed = publicList({ table, principal }, own as unknown as EntryParameters, words);
  const page = await readPage({ ...listed, query: { ...listed.query, limit, cursor } });
  const { schema } = page.entryQuery;
  const { permissions } = listed.principal;
  const { view = (record: JsonObject) => record } = entryRules;
  return {
    records: page.entries.map((entry) => view(entry as unknown as JsonObject, permissions, { schema })),
    next: page.nextCursor ?? null,
  };
};

/** The issues of the parameters that need the database. @param own the valid parameters of an invalid query */
export async function entryListIssues(
  { table, principal }: ListRequest,
  own: Readonly<Record<string, unknown>>,
): Promise<readonly RequestIssue[]> {
  const { modelId, ...parameters } = own as Partial<EntryParameters>;
  if (modelId === undefined) return [];
  const { requestIssues } = await planList(publicList({ table, principal }, { ...parameters, modelId }, []));
  return requestIssues;
}

/** The request for the same entries in the list of websites. */
function publicList(
  { table, principal }: ListRequest,
  { modelId, published, filter, sort, search = '', locale }: EntryParameters,
  words: readonly string[],
) {
  const permissions = effectivePermissions(principal);
  const query = {
    includeHidden: false,
    filter,
    sort,
    published,
    isManaged: true,
    locale,
    search: [...words, ...foldedWords(search)].join(' ') || undefined,
  };
  return { table, principal: { ...principal, permissions }, params: { modelId }, query };
}
