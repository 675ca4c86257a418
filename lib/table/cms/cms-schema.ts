import { createHash } from 'node:crypto';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { keys } from '../keys.ts';
import { textBytes } from '../memory/container-memory.ts';
import { VersionedCache } from '../memory/versioned.ts';
import type { Table, WorkspaceScope } from '../table.ts';
import { readCmsSchemaHead } from '../workspaces.ts';

/** The CMS databases of a workspace and the languages their texts may have. */
export interface CmsSchema {
  readonly version: string;
  readonly languages: readonly string[];
  readonly models: ReadonlyMap<string, Model>;
}

const noSchema: CmsSchema = {
  version: '',
  languages: [],
  models: new Map(),
};

/** A parsed model takes about three times the memory of its text. */
const parsedFactor = 3;

const schemas = new VersionedCache<CmsSchema>();

const addressOf = ({ name }: Table, { workspaceId }: WorkspaceScope): string => `${name} ${workspaceId}`;

/** At most one small read. The models are read again only if the state beside the log has another version. */
export async function readCmsSchema(table: Table, { workspaceId }: WorkspaceScope): Promise<CmsSchema> {
  const head = await readCmsSchemaHead(table, { workspaceId });
  if (!head) return noSchema;
  return schemas.read(addressOf(table, { workspaceId }), head.version, async () => {
    const { languages } = head;
    const records = await readModelRecords(table, workspaceId);
    const version = schemaVersionOf(languages, records);
    const models = new Map(records.map((record) => JSON.parse(record) as Model).map((model) => [model.id, model]));
    return {
      value: { version, languages, models },
      bytes: parsedFactor * records.reduce((sum, record) => sum + textBytes(record), 0),
      // An import may be between writing the models and their version.
      isExact: version === head.version,
    };
  });
}

/** The cached schema, which may be outdated: a hint for the next read. It must not be shown. */
export const lastSeenCmsSchema = (table: Table, scope: WorkspaceScope): CmsSchema | undefined =>
  schemas.lastSeen(addressOf(table, scope));

/** The stored texts of all models, in the order of their ids. */
export async function readModelRecords(table: Table, workspaceId: string): Promise<string[]> {
  const items = await table.all({ pk: keys.records(workspaceId, 'cmsModel') });
  return items.map((item) => String(item['record']));
}

/**
 * A hash of the content. After an interrupted import, it differs from the published one, so the next import repairs that.
 */
export function schemaVersionOf(languages: readonly string[], records: readonly string[]): string {
  const content = createHash('sha256').update(JSON.stringify(languages));
  for (const record of records) content.update(record);
  return content.digest('base64url');
}
