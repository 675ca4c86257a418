import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { type RelationRow, relatingFields, relationRow } from '#lib/domain/cms/product-relation.ts';
import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import { readModelRecords, schemaVersionOf } from '../cms/cms-schema.ts';
import { readEntryList } from '../cms/entry-list.ts';
import { sortKeyOf } from '../cms/entry-row.ts';
import type { StoredEntry } from '../cms/stored-entry.ts';
import { headWrite, partIdsIn } from '../collection/base-writes.ts';
import { partItem } from '../collection/chunk-rows.ts';
import { type CollectionHead, type CollectionScope, headKey, readPart, repeatStaleRead } from '../collection/head.ts';
import { type Condition, isNew, isStill, setting } from '../dynamodb/conditions.ts';
import { putAll } from '../dynamodb/write-all.ts';
import { keys } from '../keys.ts';
import { newChangeId } from '../log/change-log.ts';
import { noRelations, relationScope, type StoredRelations } from '../menu/relation-base.ts';
import { storeRelations } from '../menu/relation-parts.ts';
import type { Item, Table, TransactItem, WorkspaceScope } from '../table.ts';
import { type CmsSchemaHead, readCmsSchemaHead } from '../workspaces.ts';
import { ChangeRefused } from './apply-change.ts';
import type { WriteScope } from './change.ts';

/** The stored databases and languages of a workspace, and the lease of its imports. */
export interface StoredSchema {
  readonly head: CmsSchemaHead | undefined;
  /** The stored JSON texts of all databases, by id. */
  readonly records: ReadonlyMap<string, string>;
  readonly lease: Item | undefined;
}

/** Reads the version first. The condition of the write then detects a change in between. */
export async function readStoredSchema({ table, workspaceId }: WriteScope): Promise<StoredSchema> {
  const [head, lease] = await Promise.all([
    readCmsSchemaHead(table, { workspaceId }),
    table.get(keys.importLease(workspaceId)),
  ]);
  const texts = await readModelRecords(table, workspaceId);
  return { head, lease, records: new Map(texts.map((text) => [(JSON.parse(text) as Model).id, text])) };
}

interface NextSchema {
  readonly languages: readonly string[];
  readonly records: ReadonlyMap<string, string>;
}

/** The version of a schema: a hash of its languages and databases. */
export function versionOf({ languages, records }: NextSchema): string {
  const sorted = [...records].sort(([a], [b]) => compareCodePoints(a, b));
  return schemaVersionOf(
    languages,
    sorted.map(([, text]) => text),
  );
}

/** Publishes the version and the languages of a schema, in the state beside the log. Bases may change with it. */
export const schemaUpdate = (
  workspaceId: string,
  { version: schema, languages }: CmsSchemaHead,
  condition?: Condition,
) => ({ Key: keys.logState(workspaceId), ...setting({ schema, languages, epoch: newChangeId() }, condition) });

/** Publishes the next schema, on condition that the stored one has not changed. */
export function schemaWrite(workspaceId: string, { head }: StoredSchema, next: NextSchema): TransactItem {
  const isSame = head
    ? { ConditionExpression: '#schema = :before', ExpressionAttributeValues: { ':before': head.version } }
    : { ConditionExpression: 'attribute_not_exists(#schema)' };
  return { Update: schemaUpdate(workspaceId, { version: versionOf(next), languages: next.languages }, isSame) };
}

/** Checks that no import has begun since the read. An import reads and writes the schema in several steps. */
export const noImportSince = (workspaceId: string, { lease }: StoredSchema): TransactItem => ({
  ConditionCheck: {
    Key: keys.importLease(workspaceId),
    ...(lease ? isStill('renewal', lease['renewal']) : isNew),
  },
});

/** A change that would rewrite more rows must be an import (lib/spec/additions.md section 2). */
const rewrittenRowsMax = 5_000;

/**
 * Makes the relations of one database to products again, if another of its fields relates to them now. It stores their
 * parts, which no reader uses yet.
 * @returns the write that makes them current, for the transaction that publishes the schema. Undefined if they stay
 * @throws ChangeRefused when the database has more entries than one change may rewrite
 */
export async function relationWrite(
  { table, workspaceId }: WriteScope,
  before: Model | undefined,
  after: Model | undefined,
): Promise<TransactItem | undefined> {
  const [former, fields = []] = [before, after].map((model) => (model ? relatingFields(model) : []));
  if (isDeepStrictEqual(former, fields)) return undefined;
  const { id } = (after ?? before) as Model;
  const scope = relationScope({ workspaceId });
  const [{ head, stored }, rows] = await Promise.all([
    readStoredRelations(table.uncached(), scope),
    relationRows(table.uncached(), scope, id, fields),
  ]);
  const own = new Map(fields.length > 0 ? [[id, { fields, rows }]] : []);
  const content = await storeRelations(table, scope, own, undefined);
  const models = new Map(Object.entries(stored.models));
  const left = partIdsIn(models.get(id));
  models.delete(id);
  const next: StoredRelations = {
    models: Object.fromEntries(
      [...models, ...Object.entries(content.models)].sort(([a], [b]) => compareCodePoints(a, b)),
    ),
    // The next compaction removes the parts, when no reader has the former base any more.
    former: [...stored.former, ...left, ...[head?.directory ?? []].flat()],
  };
  const directory = partItem(scope, JSON.stringify(next));
  await putAll(table, [directory]);
  return headWrite(scope, head, { base: randomUUID(), directory: directory.partId });
}

/** The stored rows of the relations to products, without the changes in the log. */
const readStoredRelations = (table: Table, scope: CollectionScope) =>
  repeatStaleRead(table, async () => {
    const head = (await table.get(headKey(scope))) as (Item & CollectionHead) | undefined;
    const isWritten = head?.directory !== undefined;
    return { head, stored: isWritten ? await readPart<StoredRelations>(table, scope, head.directory) : noRelations };
  });

/** The rows of one database from its entries. Readers make those of entries that change from now on themselves. */
async function relationRows(
  table: Table,
  { workspaceId }: WorkspaceScope,
  modelId: string,
  fields: readonly string[],
): Promise<Map<string, RelationRow>> {
  const rows = new Map<string, RelationRow>();
  const list = await repeatStaleRead(table, () => readEntryList(table, { workspaceId }, modelId));
  if (fields.length === 0 || list.total === 0) return rows;
  if (list.total > rewrittenRowsMax) throw new ChangeRefused('use_import');
  const listed = new Set((await list.rows()).map(sortKeyOf));
  for await (const item of table.query({ pk: keys.cmsEntries(workspaceId, modelId) })) {
    const row = listed.has(item.sk) ? relationRow(item as StoredEntry, fields) : undefined;
    if (row) rows.set(row.id, row);
  }
  return rows;
}
