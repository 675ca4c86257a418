import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { hasSameColumns } from '#lib/domain/cms/columns.ts';
import { relatingFields } from '#lib/domain/cms/product-relation.ts';
import { relatedModelIds } from '#lib/domain/cms/related-models.ts';
import { upcomingRelationName } from '../cms/cms-schema.ts';
import { entryListScope, readEntryList } from '../cms/entry-list.ts';
import { changeColumns, postponeEntriesVersion } from '../cms/schema-change.ts';
import { type CollectionHead, headKey } from '../collection/head.ts';
import { CollectionRemoval, cancelRemovalWrite } from '../collection/removal.ts';
import { repeatStaleRead } from '../collection/stale-read.ts';
import { updateMillisecondsMax } from '../dynamodb/clock.ts';
import { keys } from '../keys.ts';
import type { Item } from '../schema.ts';
import type { Writes } from '../table.ts';
import { ChangeRefused, type StorageRules, type WriteScope } from './change.ts';
import { appliedOf, etagOfText, recordWrite } from './record-items.ts';
import {
  type ChangedRelations,
  readStoredRelations,
  relationWrite,
  rowsOfModel,
  type StoredRelationRows,
  storedFields,
} from './relation-items.ts';
import { noImportSince, readStoredSchema, type StoredSchema, schemaWrite, versionOf } from './schema-items.ts';

interface Found {
  readonly item: Item | undefined;
  readonly schema: StoredSchema;
  readonly relations: StoredRelationRows;
  readonly listHead: (Item & CollectionHead) | undefined;
}

/**
 * CMS databases. One transaction writes the database, the version of the schema and the relations to products. So
 * readers see the whole change or nothing. Entries are unchanged. A value that does not fit the new type of its field
 * is not shown (lib/spec/decisions.md section 3).
 */
export const modelRules: StorageRules<Found> = {
  affectedCollections: () => [],
  read: async (scope, { id }) => {
    const { table, workspaceId } = scope;
    const [item, schema, relations, listHead] = await Promise.all([
      table.get(keys.cmsModel(workspaceId, id)),
      readStoredSchema(scope),
      readStoredRelations(scope),
      table.get(headKey(entryListScope({ workspaceId }, id))),
    ]);
    const text = item && String(item['record']);
    const found = { item, schema, relations, listHead: listHead as Found['listHead'] };
    return { record: text && JSON.parse(text), etag: text && etagOfText(text), item: found };
  },
  plan: async (scope, { id, record }, { record: stored, item: found }) => {
    const { table, workspaceId } = scope;
    const { item, schema } = found;
    const before = stored as Model | undefined;
    const after = record as Model | null;
    const text = JSON.stringify(after);
    if (after && text === item?.['record']) return undefined;
    const revision = randomUUID();
    const records = new Map(schema.records);
    if (after) records.set(id, text);
    else records.delete(id);
    const next = { languages: schema.head?.languages ?? [], records };
    const relations = await changedRelations(scope, before, after ?? undefined, found);
    const removal = after ? undefined : await removalOf(scope, id);
    const writes: Writes = {
      record: recordWrite(keys.cmsModel(workspaceId, id), item, after ? { text, revision } : undefined),
      schema: schemaWrite(workspaceId, schema, next, id),
      relations: await relationWrite(scope, found.relations, relations, versionOf(next)),
      entries: after ? revivalOf(scope, id, found) : removal?.check(),
      lease: noImportSince(workspaceId, schema),
    };
    for (const related of newlyRelated(schema, records)) await postponeEntriesVersion(table, { workspaceId }, related);
    if (before && after && !hasSameColumns(before, after)) await changeColumns(table, { workspaceId }, id);
    const applied = appliedOf(before, after ?? undefined, text);
    return { revision, applied, writes, logged: () => [], withdraw: async () => removal?.withdraw() };
  },
};

const revivalOf = ({ workspaceId }: WriteScope, modelId: string, { listHead }: Found) =>
  listHead?.removing === undefined ? undefined : cancelRemovalWrite(entryListScope({ workspaceId }, modelId));

/**
 * Only a database without entries can be removed, and no entry may be added during the removal.
 * @throws ChangeRefused
 */
async function removalOf({ table, workspaceId }: WriteScope, modelId: string): Promise<CollectionRemoval> {
  const hasEntries = async (): Promise<boolean> => {
    const reads = table.uncached();
    return (await repeatStaleRead(reads, () => readEntryList(reads, { workspaceId }, modelId))).total > 0;
  };
  if (await hasEntries()) throw new ChangeRefused('in_use');
  const removal = new CollectionRemoval(table, entryListScope({ workspaceId }, modelId));
  await removal.begin();
  if (!(await hasEntries())) return removal;
  await removal.withdraw();
  throw new ChangeRefused('in_use');
}

/** The databases that become the target of a relation. Updates under way are not announced there yet. */
function newlyRelated({ records }: StoredSchema, next: ReadonlyMap<string, string>): Set<string> {
  const related = (texts: ReadonlyMap<string, string>) =>
    relatedModelIds([...texts.values()].map((text) => JSON.parse(text) as Model));
  return related(next).difference(related(records));
}

/** @returns undefined if the relations of the database to products do not change @throws ChangeRefused */
async function changedRelations(
  scope: WriteScope,
  before: Model | undefined,
  after: Model | undefined,
  { schema, relations }: Found,
): Promise<ChangedRelations | undefined> {
  const model = after ?? { ...(before as Model), fields: [] };
  const fields = relatingFields(model);
  if (JSON.stringify(fields) === JSON.stringify(storedFields(relations, model.id))) return undefined;
  const changed = await rowsOfModel(scope, model);
  const isLogged = before !== undefined && relatingFields(before).length > 0;
  if (changed.rows.size === 0 || isLogged) return changed;
  await untilUpdatesAreLogged(scope, model.id, schema);
  return rowsOfModel(scope, model);
}

/**
 * Makes writers log their changes of a database that is about to relate to products. Then it waits for the updates that
 * read the earlier schema. Only needed if entries already have values for the new relation.
 */
async function untilUpdatesAreLogged({ table, workspaceId }: WriteScope, modelId: string, { head }: StoredSchema) {
  const name = upcomingRelationName(modelId);
  const announcedAt = head?.[name as keyof typeof head] as unknown;
  if (typeof announcedAt === 'number' && Date.now() - announcedAt > updateMillisecondsMax) return;
  await table.update(keys.cmsSchema(workspaceId), {
    UpdateExpression: 'SET #soon = if_not_exists(#soon, :now)',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#soon': name },
    ExpressionAttributeValues: { ':now': Date.now() },
    ReturnValues: 'NONE',
  });
  await pause(updateMillisecondsMax);
}
