import type { Model } from '#lib/domain/cms-model.ts';
import { type RelationRow, relatingFields, relationRow } from '#lib/domain/product-relation.ts';
import { readCmsSchemaHead, readModelRecords } from '../cms-schema.ts';
import { keys, relationCollection } from '../keys.ts';
import type { ProductRelations, RelationDirectory } from '../product-relations.ts';
import type { StoredEntry } from '../stored-entry.ts';
import { StoredWorkspace } from '../stored-workspace.ts';
import type { Table } from '../table.ts';
import { type CurrentRelations, rewriteRelations } from '../write-relations.ts';

/** What an import has done to the entries of one database. */
interface Touched {
  /** The new row of an entry; none when it relates to nothing. */
  readonly written: Map<string, RelationRow | undefined>;
  readonly removed: Set<string>;
}

/** Brings the relations from entries to products up to date with an import (X1). */
export class RelationWriter {
  readonly #table: Table;
  readonly #workspaceId: string;
  readonly #touched = new Map<string, Touched>();
  #marked = false;
  #foundUnfinished = false;

  constructor(table: Table, workspaceId: string) {
    this.#table = table;
    this.#workspaceId = workspaceId;
  }

  /** Called before the first entry is written: should the import stop, the next one makes all relations anew. */
  async markUnfinished(): Promise<void> {
    if (this.#marked) return;
    this.#foundUnfinished = (await this.#table.fresh().get(this.#mark)) !== undefined;
    await this.#table.put({ ...this.#mark });
    this.#marked = true;
  }

  entryWritten(model: Model, entry: StoredEntry): void {
    const fields = relatingFields(model);
    if (fields.length > 0) this.#of(model.id).written.set(entry.id, relationRow(entry, fields));
  }

  entriesRemoved(modelId: string, ids: readonly string[]): void {
    for (const id of ids) this.#of(modelId).removed.add(id);
  }

  /** Called when databases and entries are written. */
  async finish(): Promise<void> {
    if (!this.#marked) this.#foundUnfinished = (await this.#table.fresh().get(this.#mark)) !== undefined;
    await this.#bringUpToDate();
    if (this.#marked || this.#foundUnfinished) await this.#table.write([{ remove: this.#mark }]);
  }

  async #bringUpToDate(): Promise<void> {
    const schema = await readCmsSchemaHead(this.#table.fresh(), { workspaceId: this.#workspaceId });
    const models = new Map<string, Model>();
    for (const record of await readModelRecords(this.#table, this.#workspaceId)) {
      const model = JSON.parse(record) as Model;
      if (relatingFields(model).length > 0) models.set(model.id, model);
    }
    await rewriteRelations(this.#table, { workspaceId: this.#workspaceId }, async (current) => {
      const untouched = this.#touched.size === 0 && !this.#foundUnfinished;
      const same = untouched && current?.schemaVersion === schema?.version;
      if (same || (models.size === 0 && !current)) return undefined;
      return this.#revise(current, models, schema?.version ?? '');
    });
  }

  async #revise(
    current: CurrentRelations | undefined,
    models: ReadonlyMap<string, Model>,
    schemaVersion: string,
  ): Promise<ProductRelations> {
    const rows = new Map<string, ReadonlyMap<string, RelationRow>>();
    const directory = new Map<string, RelationDirectory[string]>();
    for (const model of models.values()) {
      const fields = relatingFields(model);
      const sameFields = JSON.stringify(current && ownFields(current.directory, model.id)) === JSON.stringify(fields);
      const isKnown = current && sameFields && !this.#foundUnfinished;
      rows.set(model.id, isKnown ? this.#touchedRows(model.id, current) : await this.#scan(model.id, fields));
      directory.set(model.id, { fields, chunks: [] });
    }
    return { schemaVersion, directory: Object.fromEntries(directory), rows };
  }

  /** The row of an entry that was updated meanwhile is newer than what the import wrote. */
  #touchedRows(modelId: string, current: CurrentRelations): ReadonlyMap<string, RelationRow> {
    const rows = new Map(current.rows.get(modelId));
    const { written, removed } = this.#of(modelId);
    for (const id of removed) rows.delete(id);
    for (const [id, row] of written) {
      if (current.isFresh(modelId, id)) continue;
      if (row) rows.set(id, row);
      else rows.delete(id);
    }
    return rows;
  }

  async #scan(modelId: string, fields: readonly string[]): Promise<Map<string, RelationRow>> {
    const rows = new Map<string, RelationRow>();
    for await (const entry of new StoredWorkspace(this.#table, this.#workspaceId).entries(modelId)) {
      const row = relationRow(entry, fields);
      if (row) rows.set(row.id, row);
    }
    return rows;
  }

  get #mark() {
    return { pk: keys.index(this.#workspaceId, relationCollection), sk: 'UNFINISHED' };
  }

  #of(modelId: string): Touched {
    const touched = this.#touched.get(modelId) ?? { written: new Map(), removed: new Set() };
    this.#touched.set(modelId, touched);
    return touched;
  }
}

/** A database may be called like something every object inherits. */
const ownFields = (directory: RelationDirectory, modelId: string): readonly string[] | undefined =>
  Object.hasOwn(directory, modelId) ? directory[modelId]?.fields : undefined;
