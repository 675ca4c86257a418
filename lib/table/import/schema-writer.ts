import type { Model } from '#lib/domain/cms/cms-model.ts';
import { hasSameColumns } from '#lib/domain/cms/columns.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import { readModelRecords, schemaVersionOf } from '../cms/cms-schema.ts';
import { removeAll } from '../dynamodb/write-all.ts';
import { keys } from '../keys.ts';
import { noteLongLog } from '../log/write-log.ts';
import { recordOf } from '../record-of.ts';
import type { Item } from '../schema.ts';
import type { Table } from '../table.ts';
import { readCmsSchemaHead } from '../workspaces.ts';
import { endMarks } from '../writer/removal.ts';
import { schemaUpdate } from '../writer/schema-items.ts';

/** Writes the workspace and its CMS databases, and then the version that makes readers see them (X2). */
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

  /** Whether the document contains this database. */
  names = (modelId: string): boolean => this.#models.has(modelId);

  writeWorkspace = (workspace: Workspace): Promise<number> =>
    this.#putIfChanged({ ...keys.workspace(this.#workspaceId), record: JSON.stringify(workspace) });

  async writeModels(models: readonly Model[]): Promise<number> {
    let changed = 0;
    for (const model of models) {
      this.#models.add(model.id);
      const item = { ...keys.record(this.#workspaceId, 'cmsModel', model.id), record: JSON.stringify(model) };
      changed += await this.#putIfChanged(item, async (stored) => {
        if (!stored) return endMarks(this.#table, this.#workspaceId, 'cmsModel', [model.id]);
        // A compaction makes the new columns.
        if (!hasSameColumns(recordOf<Model>(stored), model)) await noteLongLog(this.#table, this.#workspaceId);
      });
    }
    return changed;
  }

  /** Call this after the databases are written, before the entries that need them. */
  async publish({ languages }: Workspace): Promise<void> {
    const records = await readModelRecords(this.#table, this.#workspaceId);
    const version = schemaVersionOf(languages, records);
    const head = await readCmsSchemaHead(this.#table.uncached(), { workspaceId: this.#workspaceId });
    if (head?.version === version) return;
    await this.#beforePublishing();
    const { Key, ...update } = schemaUpdate(this.#workspaceId, { version, languages });
    await this.#table.update(Key, { ...update, ReturnValues: 'NONE' });
  }

  /** @returns the number of databases that were removed because the document does not contain them */
  async prune(workspace: Workspace): Promise<number> {
    const gone: Item[] = [];
    const pk = keys.records(this.#workspaceId, 'cmsModel');
    for await (const item of this.#table.query({ pk, only: ['pk', 'sk'] })) {
      if (!this.#models.has(item.sk)) gone.push(item);
    }
    await removeAll(this.#table, gone);
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
