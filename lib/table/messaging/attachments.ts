import { type Attachment, isAttachmentKey } from '#lib/domain/messaging/attachment.ts';
import { idInKey, timeOfAttachment } from '#lib/domain/messaging/attachment-key.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { keys } from '../keys.ts';
import { findRecord, type Key, Repository } from '../table.ts';
import { type AnnouncedAttachment, announcedIn, pendingKey } from './pending-attachment.ts';
import { type ObjectSize, PendingAttachments } from './pending-attachments.ts';

/** An announced attachment is stored or given up long before this. Later, its look-up is skipped. */
const pendingMillisecondsMax = 24 * 60 * 60_000;

/** The attachments of one workspace that are stored and readable. */
export class Attachments extends Repository {
  /**
   * @param objectSize checks the bucket, so that the first read stores a directly uploaded file. Without it, only the
   * sweep stores the file
   * @throws Unavailable
   */
  async find(id: string, objectSize?: ObjectSize): Promise<Attachment | undefined> {
    if (!isRecordId(id)) return undefined;
    const [record, pending] = await Promise.all([this.#record(id), this.#pending(id)]);
    if (record) return record;
    // The two reads are no snapshot: another request may have stored the file in between.
    if (!pending && this.#pendingKey(id)) return this.#record(id, this.table.uncached());
    const isStored =
      pending && objectSize && (await new PendingAttachments(this.table).storeArrived(pending, objectSize));
    return isStored ? pending.attachment : undefined;
  }

  /** Like `find`, by the key of the object. */
  async findByKey(s3Key: string, objectSize?: ObjectSize): Promise<Attachment | undefined> {
    if (!isAttachmentKey(s3Key)) return undefined;
    const id = idInKey(s3Key);
    const attachment = id === undefined ? undefined : await this.find(id, objectSize);
    if (attachment?.s3Key === s3Key) return attachment;
    const named = await this.table.get(keys.slug(this.workspaceId, 'attachment', s3Key));
    const imported = named && (await this.#record(String(named['id'])));
    return imported?.s3Key === s3Key ? imported : undefined;
  }

  /** The ids of those attachments that are stored, in one round trip. */
  async readable(ids: readonly string[], objectSize?: ObjectSize): Promise<ReadonlySet<string>> {
    const found = await Promise.all([...new Set(ids)].map((id) => this.find(id, objectSize)));
    return new Set(found.flatMap((attachment) => (attachment ? [attachment.id] : [])));
  }

  #record = (id: string, table = this.table): Promise<Attachment | undefined> =>
    findRecord(table, this, 'attachment', id);

  async #pending(id: string): Promise<AnnouncedAttachment | undefined> {
    const key = this.#pendingKey(id);
    const item = key && (await this.table.get(key));
    return item && announcedIn(item);
  }

  /** @returns undefined for an id that is too old to be announced */
  #pendingKey(id: string): Key | undefined {
    const createdAt = timeOfAttachment(id) ?? 0;
    return Date.now() - createdAt < pendingMillisecondsMax ? pendingKey(this.workspaceId, id) : undefined;
  }
}
