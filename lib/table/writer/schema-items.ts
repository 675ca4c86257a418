import { randomUUID } from 'node:crypto';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { type RelationRow, relatingFields, relationRow } from '#lib/domain/cms/product-relation.ts';
import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import { readModelRecords, schemaVersionOf } from '../cms/cms-schema.ts';
import { readEntryList } from '../cms/entry-list.ts';
import { sortKeyOf } from '../cms/entry-row.ts';
import type { StoredEntry } from '../cms/stored-entry.ts';
import { headWrite, partIdsIn } from '../collection/base-writes.ts';
import { partItem } from '../collection/chunk-rows.ts';
import { headKey, readPart, repeatStaleRead } from '../collection/head.ts';
import { type Condition, isNew, isStill, setting } from '../dynamodb/conditions.ts';
import { putAll } from '../dynamodb/write-all.ts';
import { keys } from '../keys.ts';
import { newChangeId } from '../log/change-log.ts';
import { noRelations, type RelationHead, relationScope, type StoredRelations } from '../menu/relation-base.ts';
import { storeRelations } from '../menu/relation-parts.ts';
import type { Item, TransactItem } from '../table.ts';
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

/** The new relations of one database's entries to products. */
export interface ChangedRelations {
  readonly modelId: string;
  readonly fields: readonly string[];
  readonly rows: ReadonlyMap<string, RelationRow>;
}

/** The stored rows of the relations to products, without the changes in the log. */
export interface StoredRelationRows {
  readonly head: (Item & RelationHead) | undefined;
  readonly stored: StoredRelations;
}

export const readStoredRelations = ({ table, workspaceId }: WriteScope): Promise<StoredRelationRows> => {
  const scope = relationScope({ workspaceId });
  return repeatStaleRead(table, async () => {
    const head = (await table.get(headKey(scope))) as StoredRelationRows['head'];
    const isWritten = head?.directory !== undefined;
    return { head, stored: isWritten ? await readPart<StoredRelations>(table, scope, head.directory) : noRelations };
  });
};

/** The relation fields that the stored rows of a database contain. */
export const storedFields = ({ stored }: StoredRelationRows, modelId: string): readonly string[] =>
  Object.hasOwn(stored.models, modelId) ? (stored.models[modelId]?.fields ?? []) : [];

/**
 * Makes the rows of one database again from its entries. It stores nothing.
 * @throws ChangeRefused when the database has more entries than one change may rewrite
 */
export async function rowsOfModel({ table, workspaceId }: WriteScope, model: Model): Promise<ChangedRelations> {
  const fields = relatingFields(model);
  const rows = new Map<string, RelationRow>();
  const read = table.uncached();
  const list = await repeatStaleRead(read, () => readEntryList(read, { workspaceId }, model.id));
  if (fields.length === 0 || list.total === 0) return { modelId: model.id, fields, rows };
  if (list.total > rewrittenRowsMax) throw new ChangeRefused('use_import');
  // Readers make the rows of entries that change from now on from the entries.
  const listed = new Set((await list.rows()).map(sortKeyOf));
  for await (const item of read.query({ pk: keys.cmsEntries(workspaceId, model.id) })) {
    const row = listed.has(item.sk) ? relationRow(item as StoredEntry, fields) : undefined;
    if (row) rows.set(row.id, row);
  }
  return { modelId: model.id, fields, rows };
}

/**
 * Stores the parts of changed rows, which no reader uses yet.
 * @returns the write that makes them current, for the transaction that publishes the schema. Undefined if no database
 * relates to products
 */
export async function relationWrite(
  { table, workspaceId }: WriteScope,
  { head, stored }: StoredRelationRows,
  changed: ChangedRelations | undefined,
  schemaVersion: string,
): Promise<TransactItem | undefined> {
  const scope = relationScope({ workspaceId });
  if (head?.base === undefined && !(changed && changed.fields.length > 0)) return undefined;
  const set = { base: randomUUID(), schemaVersion };
  if (!changed) return headWrite(scope, head, set);
  const { modelId, fields, rows } = changed;
  const content = await storeRelations(table, scope, new Map([[modelId, { fields, rows }]]), undefined);
  const others = Object.entries(stored.models).filter(([id]) => id !== modelId);
  const models = [...others, ...(fields.length > 0 ? Object.entries(content.models) : [])];
  const next: StoredRelations = {
    models: Object.fromEntries(models.sort(([a], [b]) => compareCodePoints(a, b))),
    former: [...stored.former, ...leftParts(head, stored, modelId)],
  };
  const directory = partItem(scope, JSON.stringify(next));
  await putAll(table, [directory]);
  return headWrite(scope, head, { ...set, directory: directory.partId });
}

/**
 * The parts that the new base does not use. The next compaction removes them, when no reader has the former base any
 * more.
 */
function leftParts(head: RelationHead | undefined, { models }: StoredRelations, modelId: string): string[] {
  const rows = partIdsIn(Object.entries(models).filter(([id]) => id === modelId));
  return head?.directory === undefined ? rows : [...rows, head.directory];
}
