import type { Attachment } from '#lib/domain/attachment.ts';
import { FileWriter, partBytes } from '#lib/files/write-file.ts';
import { Unavailable } from '#lib/table/errors.ts';
import { type PendingAttachment, PendingAttachments } from '#lib/table/pending-attachments.ts';
import type { Table, TransactItem } from '#lib/table/table.ts';
import { newAttachment, type SaidOfFile } from './new-attachment.ts';

/** How long each step may take; together with those of the bucket less than the five seconds a caller waits. */
const storeMilliseconds = 1_900;
const giveUpMilliseconds = 1_000;
const forgetMilliseconds = 900;

/** Takes the files of one upload, one after the other. */
export interface FilesIntake {
  /** How many were opened. */
  readonly count: number;
  /** Begins the next file. */
  open(said: Omit<SaidOfFile, 'size'>): void;
  /** @throws Unavailable */
  write(chunk: Uint8Array): Promise<void>;
  /** The file is complete. @throws Unavailable */
  close(): Promise<void>;
  /** Makes all of them readable. @throws Unavailable when they are not */
  store(): Promise<Attachment[]>;
  /** Leaves nothing of them. */
  discard(): Promise<void>;
}

interface StoredFile extends PendingAttachment {
  readonly writer: FileWriter;
  readonly announced: Promise<void>;
  size: number;
}

/**
 * The files of one upload on their way into the bucket, one after the other: all of them become readable, or none.
 * Each is announced in the table before its first byte is written, so that what a killed process leaves is found.
 */
export class StoredFiles implements FilesIntake {
  readonly #workspaceId: string;
  readonly #tableFor: (milliseconds: number) => Table;
  readonly #buffer = Buffer.allocUnsafeSlow(partBytes);
  readonly #files: StoredFile[] = [];

  constructor(workspaceId: string, tableFor: (milliseconds: number) => Table) {
    this.#workspaceId = workspaceId;
    this.#tableFor = tableFor;
  }

  get count(): number {
    return this.#files.length;
  }

  /** Begins the next file. It is announced while its first bytes come in. */
  open(said: Omit<SaidOfFile, 'size'>): void {
    const workspaceId = this.#workspaceId;
    const attachment = newAttachment(workspaceId, { ...said, size: 0 });
    const announced = this.#pending(storeMilliseconds).announce([{ workspaceId, attachment, direct: false }]);
    // Whoever writes hears of it.
    announced.catch(() => undefined);
    const writer = new FileWriter(attachment, this.#buffer, announced);
    this.#files.push({ workspaceId, attachment, direct: false, writer, announced, size: 0 });
  }

  /** @throws Unavailable */
  async write(chunk: Uint8Array): Promise<void> {
    const file = this.#last();
    file.size += chunk.length;
    await file.writer.write(chunk);
  }

  /** The file is complete. @throws Unavailable */
  close(): Promise<void> {
    return this.#last().writer.finish();
  }

  /**
   * Makes all of them readable.
   * @param once makes what is written together with them, and first
   * @throws Unavailable when they are not, its cause being what kept the table from it; nothing is left of them then,
   * or the sweeper finds it
   */
  async store(once?: (attachments: readonly Attachment[]) => TransactItem): Promise<Attachment[]> {
    const files = this.#files.map((file) => ({ ...file, attachment: { ...file.attachment, size: file.size } }));
    const attachments = files.map(({ attachment }) => attachment);
    try {
      await this.#pending(storeMilliseconds).store(files, once?.(attachments));
    } catch (cause) {
      // The table may have done it without telling: whether one can still be given up shows it.
      const [first] = files;
      if (first && (await this.#pending(giveUpMilliseconds).giveUp(first))) {
        await this.discard();
        throw new Unavailable('The table did not store the files.', { cause });
      }
    }
    return attachments;
  }

  /** Removes what is there of them. What cannot be removed now stays announced, so that the sweeper finds it. */
  async discard(): Promise<void> {
    const pending = (await Promise.all(this.#files.map(remove))).flat();
    if (pending.length === 0) return;
    const forgotten = this.#pending(forgetMilliseconds).forget(pending);
    await forgotten.catch((error: unknown) => {
      if (!(error instanceof Unavailable)) throw error;
    });
  }

  #last(): StoredFile {
    const file = this.#files.at(-1);
    if (!file) throw new Error('No file is open.');
    return file;
  }

  #pending = (milliseconds: number) => new PendingAttachments(this.#tableFor(milliseconds));
}

/** @returns the file, when nothing is left of it but its announcement */
async function remove(file: StoredFile): Promise<StoredFile[]> {
  // One that is still on its way would be there again after it is taken back.
  await file.announced.catch(() => undefined);
  return (await file.writer.discard()) ? [file] : [];
}
