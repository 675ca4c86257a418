import { type IndexedText, TextIndex } from '#lib/ai/retrieval/text-index.ts';
import type { Model } from '#lib/domain/cms-model.ts';
import type { Localized } from '#lib/domain/localized.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { BoundedCache } from '#lib/table/bounded-cache.ts';
import { type CmsSchema, readCmsSchema } from '#lib/table/cms-schema.ts';
import { indexedEntries, indexVersions } from '#lib/table/indexed-entries.ts';
import type { Table } from '#lib/table/table.ts';
import { untilSettled } from '#lib/table/until-settled.ts';
import { factsOf } from './entry-facts.ts';
import { entryTexts, shortTitle } from './entry-texts.ts';
import { MadeOnce } from './made-once.ts';

/** Where an entry is. */
export interface EntryPlace {
  readonly modelId: string;
  readonly id: string;
  readonly createdAt: string;
}

/** What can be found in the published entries of a workspace by their visible fields. */
export interface CmsKnowledge {
  readonly schema: CmsSchema;
  readonly entries: TextIndex<EntryPlace>;
  titleOf(modelId: string, id: string): Localized | undefined;
}

interface Known extends CmsKnowledge {
  readonly versions: string;
  /** Of what the entries were when they were read; undefined where they are too many to be compared. */
  readonly revisions: string | undefined;
  readonly readAt: number;
}

/** An entry as the index needs it. */
interface ReadEntry {
  readonly place: EntryPlace;
  readonly revision: string;
  readonly title: Localized;
  readonly texts: IndexedText;
}

/** Of entries beyond these only the names are known (lib/spec/decisions.md section 7), and beyond those nothing. */
const entriesReadMax = 5_000;
const entriesNamedMax = 20_000;

/**
 * An update of an entry moves no version. So few entries are read again for every reply; of more, the words are as old
 * as this, while what an answer says of an entry is always read when it is said.
 */
const alwaysReadMax = 500;
const ageMillisecondsMax = 5 * 60_000;

const bytesMax = 64 * 1024 * 1024;
const known = new BoundedCache<Known>(bytesMax);
const making = new MadeOnce<CmsKnowledge>();

/** Made once per version of the databases and container. @throws Unavailable */
export function cmsKnowledge(table: Table, scope: WorkspaceScope): Promise<CmsKnowledge> {
  return untilSettled(table, async () => {
    const schema = await readCmsSchema(table, scope);
    const models = [...schema.models.values()];
    const modelIds = models.map(({ id }) => id);
    const { versions, totals } = await indexVersions(table, scope, modelIds);
    const total = totals.reduce((sum, one) => sum + one, 0);
    const current = known.get(scope.workspaceId);
    const isSame = current?.versions === versions && current.schema === schema;
    if (total > alwaysReadMax) {
      if (isSame && Date.now() - current.readAt < ageMillisecondsMax) return current;
      return making.get(`${scope.workspaceId} ${versions}`, () =>
        keep(scope, { schema, versions, revisions: undefined }, readInTurn(table, scope, models, totals)),
      );
    }
    const lists = await Promise.all(models.map((model) => Array.fromAsync(readEntries(table, scope, model))));
    const entries = lists.flat();
    const revisions = entries.map(({ revision }) => revision).join();
    return isSame && current.revisions === revisions ? current : keep(scope, { schema, versions, revisions }, entries);
  });
}

async function keep(
  { workspaceId }: WorkspaceScope,
  version: Pick<Known, 'schema' | 'versions' | 'revisions'>,
  read: Iterable<ReadEntry> | AsyncIterable<ReadEntry>,
): Promise<CmsKnowledge> {
  const entries = new TextIndex<EntryPlace>();
  const titles = new Map<string, Localized>();
  let count = 0;
  for await (const { place, title, texts } of read) {
    titles.set(addressOf(place.modelId, place.id), title);
    entries.add(place, ++count > entriesReadMax ? { name: Object.values(title), texts: [] } : texts);
  }
  const titleOf = (modelId: string, id: string) => titles.get(addressOf(modelId, id));
  const made = { ...version, entries, titleOf, readAt: Date.now() };
  known.set(workspaceId, made, entries.weight + (version.revisions?.length ?? 0));
  return made;
}

/** One database after the other, so that few entries are in memory at once; small ones, which are read whole, first. */
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
async function* readEntries(table: Table, scope: WorkspaceScope, model: Model, most = alwaysReadMax) {
  for await (const entry of indexedEntries(table, scope, model.id, most)) {
    const { modelId, id, createdAt, revision, published } = entry;
    if (!published) continue;
    const title = shortTitle(factsOf(model, entry));
    yield { place: { modelId, id, createdAt }, revision, title, texts: entryTexts(model, entry) };
  }
}

const addressOf = (modelId: string, id: string): string => `${modelId}#${id}`;
