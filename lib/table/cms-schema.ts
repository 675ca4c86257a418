import { createHash } from 'node:crypto';
import { type Model, relatedModelIds } from '#lib/domain/cms-model.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { BoundedCache } from './bounded-cache.ts';
import { keys } from './keys.ts';
import type { Item } from './schema.ts';
import type { Table } from './table.ts';

/** The CMS databases of a workspace and the languages their texts may have. */
export interface CmsSchema {
  readonly languages: readonly string[];
  readonly models: ReadonlyMap<string, Model>;
  /** The ids of the databases that others, or they themselves, relate to. */
  readonly related: ReadonlySet<string>;
}

/** Stored with every import that changes a model or the languages, so that one small read tells whether it moved. */
export interface CmsSchemaHead {
  readonly version: string;
  readonly languages: readonly string[];
}

interface Known extends CmsSchema {
  readonly version: string;
}

const knownSchemas = new BoundedCache<Known>(200);
const nothing: CmsSchema = { languages: [], models: new Map(), related: new Set() };

/** Access pattern C1: one small read; the models are read again only when the head has moved. */
export async function readCmsSchema(table: Table, { workspaceId }: WorkspaceScope): Promise<CmsSchema> {
  const head = await readCmsSchemaHead(table, { workspaceId });
  if (!head) return nothing;
  const known = knownSchemas.get(workspaceId);
  return known?.version === head.version ? known : loadSchema(table, workspaceId, head);
}

/** The same for who knows the version already, and so need not read the head. */
export async function readCmsSchemaVersion(
  table: Table,
  { workspaceId }: WorkspaceScope,
  version: string,
): Promise<CmsSchema> {
  const known = knownSchemas.get(workspaceId);
  return known?.version === version ? known : readCmsSchema(table, { workspaceId });
}

async function loadSchema(table: Table, workspaceId: string, head: CmsSchemaHead): Promise<CmsSchema> {
  const records = await readModelRecords(table, workspaceId);
  const models = new Map(records.map((record) => JSON.parse(record) as Model).map((model) => [model.id, model]));
  const schema = {
    version: head.version,
    languages: head.languages,
    models,
    related: relatedModelIds(models.values()),
  };
  // An import may be between its models and their head: what is kept has to be what the version names.
  if (schemaVersionOf(head.languages, records) === head.version) knownSchemas.set(workspaceId, schema);
  return schema;
}

/** The stored texts of all models, in the order of their ids. */
export async function readModelRecords(table: Table, workspaceId: string): Promise<string[]> {
  const items = await Array.fromAsync(table.query({ pk: keys.cmsModels(workspaceId) }));
  return items.map((item) => String(item['record']));
}

/** Made of the content, so that an import that was stopped before it moved the head is made good by the next. */
export function schemaVersionOf(languages: readonly string[], records: readonly string[]): string {
  const content = createHash('sha256').update(JSON.stringify(languages));
  for (const record of records) content.update(record);
  return content.digest('base64url');
}

export const readCmsSchemaHead = async (
  table: Table,
  { workspaceId }: WorkspaceScope,
): Promise<CmsSchemaHead | undefined> =>
  (await table.get(keys.cmsSchema(workspaceId))) as (Item & CmsSchemaHead) | undefined;

/** Starts the small read that `readCmsSchema` begins with. */
export function prefetchCmsSchema(table: Table, { workspaceId }: WorkspaceScope): void {
  table.get(keys.cmsSchema(workspaceId)).catch(() => undefined);
}
