import { TextIndex } from '#lib/ai/retrieval/text-index.ts';
import { type Model, modelTexts } from '#lib/domain/cms/cms-model.ts';
import { derived } from '#lib/domain/derived.ts';
import { inLocale } from '#lib/domain/text/locale.ts';
import { type CmsSchema, readCmsSchema } from '#lib/table/cms/cms-schema.ts';
import { cmsModelIdOf, entryListScope, entryListSpec, readEntryList } from '#lib/table/cms/entry-list.ts';
import { sortKeyOf } from '#lib/table/cms/entry-row.ts';
import type { StoredEntry } from '#lib/table/cms/stored-entry.ts';
import { Collection } from '#lib/table/collection/collection.ts';
import { repeatStaleRead, StaleRead } from '#lib/table/collection/head.ts';
import { keys } from '#lib/table/keys.ts';
import { containerMemory } from '#lib/table/memory/container-memory.ts';
import { SingleFlight } from '#lib/table/memory/versioned.ts';
import type { Table, WorkspaceScope } from '#lib/table/table.ts';
import { entryTexts } from './entry-texts.ts';

/** Address of an entry. */
export interface EntryReference {
  readonly modelId: string;
  readonly id: string;
  readonly createdAt: string;
}

/** Search in the visible fields of a workspace's published entries. */
export interface CmsKnowledge {
  /** The names of databases and fields are in the languages that the workspace has. */
  readonly schema: CmsSchema;
  readonly entries: TextIndex<EntryReference>;
}

interface CachedKnowledge extends CmsKnowledge {
  readonly versions: string | undefined;
  readonly readAt: number;
}

/**
 * Beyond this number, only the names of entries are indexed (lib/spec/decisions.md section 7), up to a second limit.
 */
const entriesReadMax = 5_000;
const entriesNamedMax = 20_000;

/**
 * The index of a workspace with more entries may be this old, and that of one with an import. The entries in an answer
 * are always reread.
 */
const smallEntriesMax = 500;
const ageMillisecondsMax = 5 * 60_000;

const cache = containerMemory.view<CachedKnowledge>();
const making = new SingleFlight<CmsKnowledge>();

const shownSchema = derived((schema: CmsSchema): CmsSchema => {
  const models = [...schema.models].map(([id, model]) => [id, inLocale(model, modelTexts, schema) as Model] as const);
  return { ...schema, models: new Map(models) };
});

/** The knowledge for a search. It is made once for each version of the entries, and once for parallel replies. @throws Unavailable */
export const cmsKnowledge = (table: Table, scope: WorkspaceScope): Promise<CmsKnowledge> =>
  repeatStaleRead(table, () => readKnowledge(table, scope));

async function readKnowledge(table: Table, scope: WorkspaceScope): Promise<CmsKnowledge> {
  const { workspaceId } = scope;
  const schema = shownSchema(await readCmsSchema(table, scope));
  const { versions, totals } = await indexVersions(table, scope, [...schema.models.keys()]);
  const isLarge = totals.reduce((sum, count) => sum + count, 0) > smallEntriesMax;
  const current = cache.get(workspaceId);
  const isYoung = Date.now() - (current?.readAt ?? 0) < ageMillisecondsMax;
  const isUsable = isLarge || versions === undefined ? isYoung : current?.versions === versions;
  if (isUsable && current?.schema === schema) return current;
  return making.get(`${workspaceId} ${versions}`, async () => {
    const readAt = Date.now();
    const entries = new TextIndex<EntryReference>();
    let count = 0;
    for await (const { reference, texts } of readInTurn(table, scope, schema, totals)) {
      entries.add(reference, ++count > entriesReadMax ? { name: texts.name } : texts);
    }
    const knowledge = { schema, versions, entries, readAt };
    cache.set(workspaceId, knowledge, entries.weight);
    return knowledge;
  });
}

/**
 * Reads one database after the other, so that few entries are in memory. Small ones, which are read as a whole, are
 * first.
 */
async function* readInTurn(table: Table, scope: WorkspaceScope, schema: CmsSchema, totals: readonly number[]) {
  const { languages } = schema;
  const models = [...schema.models.values()];
  const bySize = models.map((model, index) => ({ model, total: totals[index] ?? 0 })).sort((a, b) => a.total - b.total);
  let left = entriesNamedMax;
  for (const [position, { model, total }] of bySize.entries()) {
    const most = Math.min(total, Math.floor(left / (bySize.length - position)));
    left -= most;
    if (most === 0) continue;
    for await (const { reference, entry } of readEntries(table, scope, model, most))
      yield { reference, texts: entryTexts(model, entry, languages) };
  }
}

/** Entry lists whose state also changes with entries that keep their row. */
const contents = new Collection({
  ...entryListSpec,
  concerns: ({ kind, modelId }, { collection }) => kind === 'cmsEntry' && modelId === cmsModelIdOf(collection),
});

/**
 * The number of entries of several databases, and a text that changes with each of them; undefined while an import
 * writes. @throws StaleRead
 */
async function indexVersions(table: Table, workspace: WorkspaceScope, modelIds: readonly string[]) {
  const versions = await Promise.all(
    modelIds.map(async (modelId) => {
      const { tag, isExact } = await contents.read(table, entryListScope(workspace, modelId));
      return isExact ? `${modelId} ${tag}` : undefined;
    }),
  );
  const lists = await Promise.all(modelIds.map((modelId) => readEntryList(table, workspace, modelId)));
  return {
    versions: versions.includes(undefined) ? undefined : versions.join(),
    totals: lists.map(({ total }) => total),
  };
}

/**
 * The published entries of a database, newest first, one page in memory at a time. It leaves out entries of an
 * unfinished import. The request's cache does not keep them. Access patterns X1, C1.
 * @param most the number of entries that are read
 * @throws StaleRead
 */
async function* readEntries(table: Table, scope: WorkspaceScope, model: Model, most: number) {
  const list = await readEntryList(table, scope, model.id);
  const rows = (await list.rows(Math.max(0, list.total - most))).map(sortKeyOf);
  if (rows.length === 0) return;
  const remaining = new Set(rows);
  const range = {
    pk: keys.cmsEntries(scope.workspaceId, model.id),
    from: rows[0] ?? '',
    to: rows.at(-1) ?? '',
    descending: true,
  };
  for await (const item of table.query(range)) {
    if (!remaining.delete(item.sk)) continue;
    const entry = item as StoredEntry;
    const { modelId, id, createdAt, published } = entry;
    if (published) yield { reference: { modelId, id, createdAt }, entry };
  }
  if (remaining.size > 0) throw new StaleRead();
}
