import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import { foldText } from '#lib/domain/text/folded-text.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import type { Kind } from '#lib/records/document-kinds.ts';
import { inLanguages } from '#lib/records/in-languages.ts';
import { isObject, type JsonObject } from '#lib/records/json-object.ts';
import { readModelRecords } from '#lib/table/cms/cms-schema.ts';
import { keys, type RecordKind } from '#lib/table/keys.ts';
import { recordOf } from '#lib/table/record-of.ts';
import { findWorkspace } from '#lib/table/stored-workspace.ts';
import type { ListPage, ListQuery, ListRequest, ReadPage } from './list-query.ts';

/** The number of items in a page of the engine; it ends at 1 MB anyway. */
const perPage = 10_000;

interface Listed {
  readonly name: string;
  readonly id: string;
  readonly record: JsonObject;
}

/**
 * The order is by the folded name, else title, else identifier, in the workspace's default language, ties by id. It
 * reads all records of the kind. So it suits small kinds, and searches without an index.
 */
export const pageByName =
  (kind: RecordKind): ReadPage =>
  async ({ table, principal: { workspaceId } }: ListRequest, query: ListQuery) => {
    const [workspace, records] = await Promise.all([
      findWorkspace(table, workspaceId),
      Array.fromAsync(table.query({ pk: keys.records(workspaceId, kind), perPage }), (item) =>
        recordOf<JsonObject>(item),
      ),
    ]);
    return pageOf(kind, records, workspace, query);
  };

/** All databases, by name. A workspace has only a few. */
export const modelPage: ReadPage = async ({ table, principal: { workspaceId } }, query) => {
  const [workspace, texts] = await Promise.all([
    findWorkspace(table, workspaceId),
    readModelRecords(table, workspaceId),
  ]);
  const records = texts.map((text) => JSON.parse(text) as JsonObject);
  return pageOf('cmsModel', records, workspace, query);
};

function pageOf(
  kind: Kind,
  records: readonly JsonObject[],
  workspace: Workspace | undefined,
  { limit, after, words }: Pick<ListQuery, 'limit' | 'after' | 'words'>,
): ListPage {
  const from = after === undefined ? undefined : listedAt(after as readonly [string, string]);
  const { languages = [], defaultLanguage: language = '' } = workspace ?? {};
  const following = records
    .map((record) => inLanguages(kind, record, languages))
    .filter((record) => hasWords(record, words))
    .map((record): Listed => ({ name: nameOf(record, language), id: String(record['id']), record }))
    .filter((listed) => from === undefined || compare(listed, from) > 0)
    .sort(compare);
  const page = following.slice(0, limit);
  const last = page.at(-1);
  return {
    records: page.map(({ record }) => record),
    next: last && following.length > limit ? [last.name, last.id] : undefined,
  };
}

const listedAt = ([name, id]: readonly [string, string]) => ({ name, id });

const compare = (a: Pick<Listed, 'name' | 'id'>, b: Pick<Listed, 'name' | 'id'>): number =>
  compareCodePoints(a.name, b.name) || compareCodePoints(a.id, b.id);

function nameOf({ name, title, identifier }: JsonObject, language: string): string {
  const named = [name, title, identifier].map((text) => textIn(text, language)).find((text) => text.trim() !== '');
  return foldText(named ?? '').trim();
}

/** A string, or a localized text in the given language, else in its first one. */
function textIn(text: unknown, language: string): string {
  if (typeof text === 'string') return text;
  if (!isObject(text)) return '';
  return String((Object.hasOwn(text, language) ? text[language] : undefined) ?? Object.values(text)[0] ?? '');
}

const searched = ['id', 'name', 'title', 'slug', 'identifier', 'email', 'externalId'] as const;

function hasWords(record: JsonObject, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const texts = searched
    .flatMap((member) => (isObject(record[member]) ? Object.values(record[member]) : [record[member]]))
    .filter((text) => typeof text === 'string')
    .map(foldText);
  return words.every((word) => texts.some((text) => text.includes(word)));
}
