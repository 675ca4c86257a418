import { resolveEntryQuery } from '#lib/cms/entry-query.ts';
import { readPage } from '#lib/cms/query/read-page.ts';
import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { JsonObject } from '#lib/domain/json-object.ts';
import { foldedWords } from '#lib/domain/text/folded-text.ts';
import { lacksPermission } from '#lib/http/middleware/require-permissions.ts';
import type { FamilyMember } from '#lib/http/query.ts';
import { entryRules } from '../entries.ts';
import type { ReadPage } from './list-query.ts';

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
export const entryPage: ReadPage = async ({ table, principal }, { limit, after, words, kindParameters: own }) => {
  const { modelId, published, filter, sort, search = '', locale } = own as unknown as EntryParameters;
  const permissions = effectivePermissions(principal);
  const seesDrafts = permissions.has('cms:entry:read-unpublished');
  if (published === false && !seesDrafts) throw lacksPermission('cms:entry:read-unpublished', principal.kind);
  const query = {
    limit,
    includeHidden: false,
    filter,
    sort,
    published,
    locale,
    search: [...words, ...foldedWords(search)].join(' ') || undefined,
    cursor: after as string | undefined,
  };
  const request = { table, principal: { ...principal, permissions }, params: { modelId }, query };
  const reading = resolveEntryQuery(request);
  const { entries, nextCursor } = await readPage(request, reading, seesDrafts ? published : true);
  const { schema } = await reading;
  const view = entryRules.view ?? ((record: JsonObject) => record);
  return {
    records: entries.map((entry) => view(entry as unknown as JsonObject, permissions, { schema })),
    next: nextCursor,
  };
};
