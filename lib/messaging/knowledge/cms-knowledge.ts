import { type IndexedText, TextIndex } from '#lib/ai/retrieval/text-index.ts';
import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { storedBytes } from '#lib/domain/stored-size.ts';
import { type CmsSchema, readCmsSchema } from '#lib/table/cms/cms-schema.ts';
import { indexedEntries, indexVersions } from '#lib/table/cms/scan-entries.ts';
import { repeatStaleRead } from '#lib/table/collection/stale-read.ts';
import { containerMemory } from '#lib/table/memory/container-memory.ts';
import type { Table } from '#lib/table/table.ts';
import { entryTexts } from './entry-texts.ts';
import { SingleFlight } from './single-flight.ts';

/** Address of an entry. */
export interface EntryReference {
  readonly modelId: string;
  readonly id: string;
  readonly createdAt: string;
}

/** Search in the visible fields of a workspace's published entries. */
export interface CmsKnowledge {
  readonly schema: CmsSchema;
  readonly entries: TextIndex<EntryReference>;
}

interface CachedKnowledge extends CmsKnowledge {
  readonly versions: string;
  /** The revisions of the entries when they were read; undefined if the workspace is too large for a comparison. */
  readonly revisions: string | undefined;
  readonly readAt: number;
}

/** An entry as the index needs it. */
interface ReadEntry {
  readonly reference: EntryReference;
  readonly revision: string;
  readonly bytes: number;
  readonly texts: IndexedText;
}

/**
 * Beyond this number, only the names of entries are indexed (lib/spec/decisions.md section 7), up to a second limit.
 */
const entriesReadMax = 5_000;
const entriesNamedMax = 20_000;

/**
 * An update of an entry changes no version. So a small workspace is reread for every reply: 4 MB are 1,000 read units.
 * The index of a larger one may be five minutes old, but the entries in an answer are always reread.
 */
const smallEntriesMax = 500;
const smallBytesMax = 4 * 1024 * 1024;
const ageMillisecondsMax = 5 * 60_000;
const modelsPerBatch = 4;

const cache = containerMemory.view<CachedKnowledge>();
const making = new SingleFlight<CmsKnowledge>();
/** Knowledge by the table of a reply. It is released with the reply. */
const ofReplies = new WeakMap<Table, Promise<CmsKnowledge>>();

/**
 * The knowledge for a reply. It is made once for each reply, because the tool calls share one table, and once for
 * parallel replies.
 * @throws Unavailable
 */
export function cmsKnowledge(table: Table, scope: WorkspaceScope): Promise<CmsKnowledge> {
  const ofReply = ofReplies.get(table);
  if (ofReply) return ofReply;
  const reading = repeatStaleRead(table, () => readKnowledge(table, scope));
  ofReplies.set(table, reading);
  reading.catch(() => ofReplies.delete(table));
  return reading;
}

async function readKnowledge(table: Table, scope: WorkspaceScope): Promise<CmsKnowledge> {
  const schema = await readCmsSchema(table, scope);
  const models = [...schema.models.values()];
  const modelIds = models.map(({ id }) => id);
  const { versions, totals } = await indexVersions(table, scope, modelIds);
  const current = cache.get(scope.workspaceId);
  const isSame = current?.versions === versions && current.schema === schema;
  const isKept = isSame && current.revisions === undefined && Date.now() - current.readAt < ageMillisecondsMax;
  if (isKept) return current;
  return making.get(`${scope.workspaceId} ${versions}`, async () => {
    const total = totals.reduce((sum, count) => sum + count, 0);
    if (total > smallEntriesMax) return keep(scope, { schema, versions }, readInTurn(table, scope, models, totals));
    const entries = await readSmall(table, scope, models);
    const isSmall = entries.reduce((sum, { bytes }) => sum + bytes, 0) <= smallBytesMax;
    const revisions = isSmall ? entries.map(({ revision }) => revision).join() : undefined;
    if (isSame && isSmall && current.revisions === revisions) return current;
    return keep(scope, { schema, versions, revisions }, entries);
  });
}

async function keep(
  { workspaceId }: WorkspaceScope,
  version: Pick<CmsKnowledge, 'schema'> & { readonly versions: string; readonly revisions?: string | undefined },
  read: Iterable<ReadEntry> | AsyncIterable<ReadEntry>,
): Promise<CmsKnowledge> {
  const entries = new TextIndex<EntryReference>();
  let count = 0;
  for await (const { reference, texts } of read) {
    entries.add(reference, ++count > entriesReadMax ? { name: texts.name, texts: [] } : texts);
  }
  const knowledge = { revisions: undefined, ...version, entries, readAt: Date.now() };
  cache.set(workspaceId, knowledge, entries.weight + (version.revisions?.length ?? 0));
  return knowledge;
}

/** All entries. Few databases are read in parallel, because each has a page of up to 1 MB in memory. */
async function readSmall(table: Table, scope: WorkspaceScope, models: readonly Model[]): Promise<ReadEntry[]> {
  const entries: ReadEntry[] = [];
  for (let first = 0; first < models.length; first += modelsPerBatch) {
    const group = models.slice(first, first + modelsPerBatch);
    const lists = await Promise.all(group.map((model) => Array.fromAsync(readEntries(table, scope, model))));
    entries.push(...lists.flat());
  }
  return entries;
}

/**
 * Reads one database after the other, so that few entries are in memory. Small ones, which are read as a whole, are
 * first.
 */
async function* readInTurn(
  table: Table,
  scope: WorkspaceScope,
  models: readonly Model[],
  totals: readonly number[],
): AsyncGenerator<ReadEntry> {
  const bySize = models.map((model, index) => ({ model, total: totals[index] ?? 0 })).sort((a, b) => a.total - b.total);
  let left = entriesNamedMax;
  for (const [position, { model, total }] of bySize.entries()) {
    const most = Math.min(total, Math.floor(left / (bySize.length - position)));
    left -= most;
    if (most > 0) yield* readEntries(table, scope, model, most);
  }
}

/** The published entries of a database, newest first. */
async function* readEntries(table: Table, scope: WorkspaceScope, model: Model, most = smallEntriesMax) {
  for await (const entry of indexedEntries(table, scope, model.id, most)) {
    const { modelId, id, createdAt, revision, published } = entry;
    if (!published) continue;
    const bytes = storedBytes(entry.values);
    yield { reference: { modelId, id, createdAt }, revision, bytes, texts: entryTexts(model, entry) };
  }
}
