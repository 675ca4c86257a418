import { setTimeout as pause } from 'node:timers/promises';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { hasSameColumns } from '#lib/domain/cms/columns.ts';
import { relatingFields } from '#lib/domain/cms/product-relation.ts';
import { relatedModelIds } from '#lib/domain/cms/related-models.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import { readModelRecords, schemaVersionOf } from '../cms/cms-schema.ts';
import { changeColumns, postponeEntriesVersion } from '../cms/schema-change.ts';
import { milliseconds, updateMillisecondsMax } from '../dynamodb/clock.ts';
import { keys } from '../keys.ts';
import { recordOf } from '../record-of.ts';
import type { Item } from '../schema.ts';
import type { Table } from '../table.ts';
import { type CmsSchemaHead, readCmsSchemaHead } from '../workspaces.ts';

/** Writes the workspace and its CMS databases, and then the head that makes readers see them (C1). */
export class SchemaWriter {
  readonly #table: Table;
  readonly #workspaceId: string;
  readonly #beforePublishing: () => Promise<void>;
  readonly #models = new Set<string>();
  /** The stored databases that get their first relation to products. */
  readonly #newlyRelating = new Set<string>();
  #publishedAt = Number.NEGATIVE_INFINITY;
  /** The databases whose columns this import has changed. */
  readonly #otherColumns = new Set<Model>();

  /** @param beforePublishing called before readers see another schema */
  constructor(table: Table, workspaceId: string, beforePublishing: () => Promise<void>) {
    this.#table = table;
    this.#workspaceId = workspaceId;
    this.#beforePublishing = beforePublishing;
  }

  /** Whether the document contains this database. */
  names = (modelId: string): boolean => this.#models.has(modelId);

  writeWorkspace = (workspace: Workspace): Promise<number> =>
    this.#putIfChanged({ ...keys.workspace(this.#workspaceId), record: JSON.stringify(workspace) });

  async writeModels(models: readonly Model[]): Promise<number> {
    let changed = 0;
    for (const model of models) {
      this.#models.add(model.id);
      const item = { ...keys.cmsModel(this.#workspaceId, model.id), record: JSON.stringify(model) };
      changed += await this.#putIfChanged(item, async (stored) => {
        if (!stored) return;
        const before = recordOf<Model>(stored);
        const related = relatingFields(before).length > 0;
        if (!related && relatingFields(model).length > 0) this.#newlyRelating.add(model.id);
        if (hasSameColumns(before, model)) return;
        this.#otherColumns.add(model);
        await this.#changeColumns(model);
      });
    }
    return changed;
  }

  /**
   * Waits until all updates of a newly relating database are logged. Updates under way still use the earlier schema.
   * @returns whether it has waited
   */
  async untilLogged(modelId: string): Promise<boolean> {
    const left = this.#publishedAt + updateMillisecondsMax - milliseconds();
    if (!this.#newlyRelating.has(modelId) || left <= 0) return false;
    await pause(left);
    return true;
  }

  /** Call this after the databases are written, before the entries that need them. */
  async publish({ languages }: Workspace): Promise<void> {
    const key = keys.cmsSchema(this.#workspaceId);
    const records = await readModelRecords(this.#table, this.#workspaceId);
    const version = schemaVersionOf(languages, records);
    const head = await readCmsSchemaHead(this.#table.uncached(), { workspaceId: this.#workspaceId });
    if (head?.version === version) return;
    await this.#beforePublishing();
    for (const model of this.#otherColumns) await this.#changeColumns(model);
    // Updates under way use the earlier schema, so they do not announce themselves in newly related databases.
    if (head) await this.#postponeVersions(records);
    await this.#table.put({ ...key, version, languages } satisfies Item & CmsSchemaHead);
    this.#publishedAt = milliseconds();
  }

  async #postponeVersions(records: readonly string[]): Promise<void> {
    for (const modelId of relatedModelIds(records.map((record) => JSON.parse(record) as Model))) {
      await postponeEntriesVersion(this.#table, { workspaceId: this.#workspaceId }, modelId);
    }
  }

  #changeColumns = (model: Model): Promise<void> =>
    changeColumns(this.#table, { workspaceId: this.#workspaceId }, model.id);

  /** @returns the number of databases that were removed because the document does not contain them */
  async prune(workspace: Workspace): Promise<number> {
    const gone: { readonly remove: Item }[] = [];
    for await (const item of this.#table.query({ pk: keys.cmsModels(this.#workspaceId), only: ['pk', 'sk'] })) {
      if (!this.#models.has(item.sk)) gone.push({ remove: item });
    }
    await this.#table.write(gone);
    await this.publish(workspace);
    return gone.length;
  }

  async #putIfChanged(item: Item, onStored?: (stored: Item | undefined) => Promise<void>): Promise<number> {
    const stored = await this.#table.uncached().get(item);
    await onStored?.(stored);
    if (stored?.['record'] === item['record']) return 0;
    await this.#table.put(item);
    return 1;
  }
}
