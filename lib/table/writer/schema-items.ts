import type { Model } from '#lib/domain/cms/cms-model.ts';
import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import { readModelRecords, schemaVersionOf } from '../cms/cms-schema.ts';
import { isNew, isStill } from '../dynamodb/conditions.ts';
import { keys } from '../keys.ts';
import type { Item } from '../schema.ts';
import type { TransactItem } from '../table.ts';
import { type CmsSchemaHead, readCmsSchemaHead } from '../workspaces.ts';
import type { WriteScope } from './change.ts';

/** The stored databases and languages of a workspace, and the lease of its imports. */
export interface StoredSchema {
  readonly head: (Item & CmsSchemaHead) | undefined;
  /** The stored JSON texts of all databases, by id. */
  readonly records: ReadonlyMap<string, string>;
  readonly lease: Item | undefined;
}

/** Reads the version first. The condition of the write then detects a change in between. */
export async function readStoredSchema({ table, workspaceId }: WriteScope): Promise<StoredSchema> {
  const [head, lease] = await Promise.all([
    readCmsSchemaHead(table, { workspaceId }) as Promise<StoredSchema['head']>,
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

/** Publishes the next schema, on condition that the stored one has not changed. */
export function schemaWrite(workspaceId: string, { head }: StoredSchema, next: NextSchema): TransactItem {
  const { ExpressionAttributeNames, ExpressionAttributeValues, ...condition } = isStill('version', head?.version);
  return {
    Update: {
      Key: keys.cmsSchema(workspaceId),
      UpdateExpression: 'SET #version = :next, #languages = :languages',
      ...condition,
      ExpressionAttributeNames: {
        ...ExpressionAttributeNames,
        '#version': 'version',
        '#languages': 'languages',
      },
      ExpressionAttributeValues: {
        ...ExpressionAttributeValues,
        ':next': versionOf(next),
        ':languages': next.languages,
      },
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
