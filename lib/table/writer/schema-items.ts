import type { Model } from '#lib/domain/cms/cms-model.ts';
import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import { readModelRecords, schemaVersionOf } from '../cms/cms-schema.ts';
import { isNew, isStill } from '../dynamodb/conditions.ts';
import { keys } from '../keys.ts';
import { newChangeId } from '../log/change-log.ts';
import type { Item, TransactItem } from '../table.ts';
import { type CmsSchemaHead, readCmsSchemaHead } from '../workspaces.ts';
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

export interface NextSchema {
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
export const schemaUpdate = (workspaceId: string, { version, languages }: CmsSchemaHead) => ({
  Key: keys.logState(workspaceId),
  UpdateExpression: 'SET #schema = :schema, #languages = :languages, #epoch = :epoch',
  ExpressionAttributeValues: { ':schema': version, ':languages': languages, ':epoch': newChangeId() },
});

/** Publishes the next schema, on condition that the stored one has not changed. */
export function schemaWrite(workspaceId: string, { head }: StoredSchema, next: NextSchema): TransactItem {
  const update = schemaUpdate(workspaceId, { version: versionOf(next), languages: next.languages });
  const values = { ...update.ExpressionAttributeValues, ...(head && { ':before': head.version }) };
  return {
    Update: {
      ...update,
      ConditionExpression: head ? '#schema = :before' : 'attribute_not_exists(#schema)',
      ExpressionAttributeValues: values,
    },
  };
}

/** Checks that no import has begun since the read. An import reads and writes the schema in several steps. */
export const noImportSince = (workspaceId: string, { lease }: StoredSchema): TransactItem => ({
  ConditionCheck: {
    Key: keys.importLease(workspaceId),
    ...(lease ? isStill('renewal', lease['renewal']) : isNew),
  },
});
