import type { Model } from '#lib/domain/cms/cms-model.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { keys, type RecordKind } from './keys.ts';
import { isNameOf } from './record-names.ts';
import { findRecord, recordOf, type Table } from './table.ts';

/** Unique keys beside the id are sort keys, which DynamoDB bounds to 1,024 bytes. */
const nameBytesMax = 1_024;

/** Whether a unique key can be stored. */
export const isStorableName = (name: string): boolean => name !== '' && Buffer.byteLength(name) <= nameBytesMax;

/**
 * Looks up single records of a workspace for the check of others: of a document, or of one that is written. Callers may
 * pass malformed ids and names. Those never reach the table, which would refuse them.
 */
export class StoredRecords {
  readonly workspaceId: string;
  protected readonly reads: () => Table;

  /** @param reads the table for a look-up; its cache answers repeated ones */
  constructor(reads: () => Table, workspaceId: string) {
    this.reads = reads;
    this.workspaceId = workspaceId;
  }

  /** Whether there is a record of a kind. */
  has = async (kind: RecordKind | 'workspace', id: string): Promise<boolean> => {
    if (!isRecordId(id)) return false;
    if (kind === 'workspace') return id === this.workspaceId;
    return (await this.reads().get(keys.record(this.workspaceId, kind, id))) !== undefined;
  };

  async hasEntry(modelId: string, id: string): Promise<boolean> {
    if (!isRecordId(modelId) || !isRecordId(id)) return false;
    return (await this.reads().get(keys.cmsEntryPointer(this.workspaceId, modelId, id))) !== undefined;
  }

  model = (id: string): Promise<Model | undefined> => findRecord(this.reads(), this, 'cmsModel', id);

  /** The id of the record with a slug or another unique name. @param own the record whose name is checked */
  async idOfName(kind: RecordKind, name: string, own: string): Promise<string | undefined> {
    const pointer = isStorableName(name) ? await this.reads().get(keys.slug(this.workspaceId, kind, name)) : undefined;
    const id = pointer && String(pointer['id']);
    if (id === undefined || id === own) return id;
    // A pointer may be left over from a former name.
    const owner = await this.reads().get(keys.record(this.workspaceId, kind, id));
    return owner && isNameOf(kind, recordOf(owner), name) ? id : undefined;
  }
}
