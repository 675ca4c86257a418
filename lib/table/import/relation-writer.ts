import { isDeepStrictEqual } from 'node:util';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { type RelationRow, relatingFields, relationRow } from '#lib/domain/cms/product-relation.ts';
import { readModelRecords } from '../cms/cms-schema.ts';
import type { StoredEntry } from '../cms/stored-entry.ts';
import { ImportAnnouncement } from '../collection/import-announcement.ts';
import {
  currentRows,
  modelOf,
  type ProductRelations,
  readProductRelations,
  relationAddress,
} from '../menu/product-relations.ts';
import { type RelationsOfModel, relationScope } from '../menu/relation-base.ts';
import { storeRelations } from '../menu/relation-parts.ts';
import { StoredWorkspace } from '../stored-workspace.ts';
import { Repository, type Table, type WorkspaceScope } from '../table.ts';
import type { FiledRows, RowFile } from './row-file.ts';

/** The changes of an import to the entries of one database. */
interface TouchedRows {
  /** The new row by entry id; null if the entry has no relations. */
  readonly written: FiledRows<RelationRow | null>;
  readonly removed: Set<string>;
}

/** Keeps the relations from entries to products up to date with an import. */
export class RelationWriter extends Repository {
  readonly #announcement: ImportAnnouncement;
  readonly #file: RowFile;
  readonly #touched = new Map<string, TouchedRows>();

  constructor(table: Table, scope: WorkspaceScope, file: RowFile) {
    super(table, scope);
    this.#file = file;
    this.#announcement = new ImportAnnouncement(table, relationScope(scope));
  }

  /** Call this before the first change. If the import is interrupted, the next one makes all relations again. */
  async announce(): Promise<void> {
    if (!this.#announcement.isUnfinished) await this.#announcement.open();
    await this.#announcement.announce();
  }

  entryWritten(model: Model, entry: StoredEntry): void {
    const fields = relatingFields(model);
    if (fields.length > 0) this.#of(model.id).written.set(entry.id, relationRow(entry, fields) ?? null);
  }

  entriesRemoved(modelId: string, ids: readonly string[]): void {
    for (const id of ids) this.#of(modelId).removed.add(id);
  }

  /** Call this after databases and entries are written. */
  async finish(): Promise<void> {
    if (!this.#announcement.isUnfinished) await this.#announcement.open();
    const fields = await this.#relatingFields();
    const current = await readProductRelations(this.table.uncached(), this);
    const before = Object.entries(current.base.models).map(([modelId, { fields }]) => [modelId, fields] as const);
    const isSame = this.#touched.size === 0 && isDeepStrictEqual(fields, new Map(before));
    const isNeeded = fields.size > 0 || current.head.base !== undefined;
    if (isNeeded && !(isSame && !this.#announcement.foundUnfinished)) {
      await this.announce();
      await this.#replace(current, fields);
    }
    if (this.#announcement.isUnfinished) await this.#announcement.finish();
  }

  /** The fields that relate to products, of each database with some. */
  async #relatingFields(): Promise<Map<string, readonly string[]>> {
    const records = await readModelRecords(this.table, this.workspaceId);
    const models = records.map((record) => JSON.parse(record) as Model);
    const fields = models.map((model) => [model.id, relatingFields(model)] as const);
    return new Map(fields.filter(([, relating]) => relating.length > 0));
  }

  async #replace(current: ProductRelations, fieldsOf: ReadonlyMap<string, readonly string[]>): Promise<void> {
    const rowsBefore = currentRows(current);
    const next = new Map<string, RelationsOfModel>();
    for (const [modelId, fields] of fieldsOf) {
      const before = modelOf(current.base.models, modelId);
      const isKnown = isDeepStrictEqual(before?.fields, fields) && !this.#announcement.foundUnfinished;
      const rows = isKnown ? this.#withTouched(modelId, rowsBefore, current) : await this.#scan(modelId, fields);
      next.set(modelId, { fields, rows });
    }
    const content = await storeRelations(this.table, this, next, current.base);
    await this.#announcement.swapBase(current.head, { content, fields: {} });
  }

  /** The row of an entry with a log item was made from the entry itself, after this import wrote it. */
  #withTouched(
    modelId: string,
    rowsBefore: ReadonlyMap<string, ReadonlyMap<string, RelationRow>>,
    current: ProductRelations,
  ): Map<string, RelationRow> {
    const rows = new Map(rowsBefore.get(modelId));
    const { written, removed } = this.#of(modelId);
    for (const id of removed) rows.delete(id);
    for (const id of written.keys()) {
      if (current.changed.has(relationAddress(modelId, id))) continue;
      const row = written.get(id);
      if (row) rows.set(id, row);
      else rows.delete(id);
    }
    return rows;
  }

  async #scan(modelId: string, fields: readonly string[]): Promise<Map<string, RelationRow>> {
    const rows = new Map<string, RelationRow>();
    for await (const entry of new StoredWorkspace(this.table, this.workspaceId).entries(modelId)) {
      const row = relationRow(entry, fields);
      if (row) rows.set(row.id, row);
    }
    return rows;
  }

  #of(modelId: string): TouchedRows {
    const touched = this.#touched.get(modelId) ?? { written: this.#file.rows(), removed: new Set() };
    this.#touched.set(modelId, touched);
    return touched;
  }
}
