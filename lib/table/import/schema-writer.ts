import type { Model } from '#lib/domain/cms/cms-model.ts';
import { hasSameColumns } from '#lib/domain/cms/columns.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import { readModelRecords, schemaVersionOf } from '../cms/cms-schema.ts';
import { entryListScope } from '../cms/entry-list.ts';
import { ImportAnnouncement } from '../collection/import-announcement.ts';
import { keys } from '../keys.ts';
import { noteLongLog } from '../log/write-log.ts';
import { removeKey } from '../removals.ts';
import { type Item, Repository, recordOf, type Table, type WorkspaceScope } from '../table.ts';
import { readCmsSchemaHead } from '../workspaces.ts';
import { endMarks, removeUnused } from '../writer/removal.ts';
import { schemaUpdate } from '../writer/schema-items.ts';

/** Writes the workspace and its CMS databases, and then the version that makes readers see them (X2). */
export class SchemaWriter extends Repository {
  readonly #beforePublishing: () => Promise<void>;
  readonly #models = new Set<string>();

  /** @param beforePublishing called before readers see another schema */
  constructor(table: Table, scope: WorkspaceScope, beforePublishing: () => Promise<void>) {
    super(table, scope);
    this.#beforePublishing = beforePublishing;
  }

  writeWorkspace = (workspace: Workspace): Promise<number> =>
    this.#putIfChanged({ ...keys.workspace(this.workspaceId), record: JSON.stringify(workspace) });

  async writeModels(models: readonly Model[]): Promise<number> {
    let changed = 0;
    for (const model of models) {
      this.#models.add(model.id);
      const item = { ...keys.record(this.workspaceId, 'cmsModel', model.id), record: JSON.stringify(model) };
      changed += await this.#putIfChanged(item, async (stored) => {
        if (!stored) return endMarks(this.table, this.workspaceId, 'cmsModel', [model.id]);
        // A compaction makes the new columns.
        if (!hasSameColumns(recordOf<Model>(stored), model)) await noteLongLog(this.table, this.workspaceId);
      });
    }
    return changed;
  }

  /** Call this after the databases are written, before the entries that need them. */
  async publish({ languages }: Workspace): Promise<void> {
    const records = await readModelRecords(this.table, this.workspaceId);
    const version = schemaVersionOf(languages, records);
    const head = await readCmsSchemaHead(this.table.uncached(), this);
    if (head?.version === version) return;
    await this.#beforePublishing();
    const { Key, ...update } = schemaUpdate(this.workspaceId, { version, languages });
    await this.table.update(Key, { ...update, ReturnValues: 'NONE' });
  }

  /**
   * Removes the databases that the document does not contain. Their lists stay announced, so that this import, or the
   * next one, removes their entries; from now on they get no new ones.
   * @returns their number
   */
  async prune(): Promise<number> {
    const models = this.table.query({ pk: keys.records(this.workspaceId, 'cmsModel'), only: ['pk', 'sk'] });
    const gone = (await Array.fromAsync(models)).filter(({ sk }) => !this.#models.has(sk));
    for (const item of gone) {
      await new ImportAnnouncement(this.table, entryListScope(this, item.sk)).announce();
      await removeUnused(this.table, this, { kind: 'cmsModel', id: item.sk }, removeKey(item), async () => false);
    }
    return gone.length;
  }

  async #putIfChanged(item: Item, onStored?: (stored: Item | undefined) => Promise<void>): Promise<number> {
    const stored = await this.table.uncached().get(item);
    await onStored?.(stored);
    if (stored?.['record'] === item['record']) return 0;
    await this.table.put(item);
    return 1;
  }
}
