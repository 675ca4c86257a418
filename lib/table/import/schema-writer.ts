import { type Model, relatedModelIds } from '#lib/domain/cms-model.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import { type CmsSchemaHead, readCmsSchemaHead, readModelRecords, schemaVersionOf } from '../cms-schema.ts';
import { postponeEntriesVersion } from '../entries-version.ts';
import { keys } from '../keys.ts';
import type { Item } from '../schema.ts';
import type { Table } from '../table.ts';

/** Writes the workspace and its CMS databases, and then the head that makes readers see them (C1). */
export class SchemaWriter {
  readonly #table: Table;
  readonly #workspaceId: string;
  readonly #beforePublishing: () => Promise<void>;
  readonly #models = new Set<string>();

  /** @param beforePublishing called before readers see another schema */
  constructor(table: Table, workspaceId: string, beforePublishing: () => Promise<void>) {
    this.#table = table;
    this.#workspaceId = workspaceId;
    this.#beforePublishing = beforePublishing;
  }

  /** Whether the document has a database. */
  names = (modelId: string): boolean => this.#models.has(modelId);

  writeWorkspace = (workspace: Workspace): Promise<number> =>
    this.#putIfChanged({ ...keys.workspace(this.#workspaceId), record: JSON.stringify(workspace) });

  async writeModels(models: readonly Model[]): Promise<number> {
    let changed = 0;
    for (const model of models) {
      this.#models.add(model.id);
      const item = { ...keys.cmsModel(this.#workspaceId, model.id), record: JSON.stringify(model) };
      changed += await this.#putIfChanged(item);
    }
    return changed;
  }

  /** Called when the models are written, before the entries that need them. */
  async publish({ languages }: Workspace): Promise<void> {
    const key = keys.cmsSchema(this.#workspaceId);
    const records = await readModelRecords(this.#table, this.#workspaceId);
    const version = schemaVersionOf(languages, records);
    const head = await readCmsSchemaHead(this.#table.fresh(), { workspaceId: this.#workspaceId });
    if (head?.version === version) return;
    await this.#beforePublishing();
    // An update under way by the former schema does not announce itself in a database that others relate to only now.
    if (head) await this.#postponeVersions(records);
    await this.#table.put({ ...key, version, languages } satisfies Item & CmsSchemaHead);
  }

  async #postponeVersions(records: readonly string[]): Promise<void> {
    for (const modelId of relatedModelIds(records.map((record) => JSON.parse(record) as Model))) {
      await postponeEntriesVersion(this.#table, { workspaceId: this.#workspaceId }, modelId);
    }
  }

  /** @returns how many databases were removed because the document does not name them */
  async prune(workspace: Workspace): Promise<number> {
    const gone: { readonly remove: Item }[] = [];
    for await (const item of this.#table.query({ pk: keys.cmsModels(this.#workspaceId), only: ['pk', 'sk'] })) {
      if (!this.#models.has(item.sk)) gone.push({ remove: item });
    }
    await this.#table.write(gone);
    await this.publish(workspace);
    return gone.length;
  }

  async #putIfChanged(item: Item): Promise<number> {
    const stored = await this.#table.fresh().get(item);
    if (stored?.['record'] === item['record']) return 0;
    await this.#table.put(item);
    return 1;
  }
}
