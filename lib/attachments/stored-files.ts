import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { FileWriter, partBytes } from '#lib/files/write-file.ts';
import type { ClaimWithAnswer } from '#lib/idempotency/run-idempotent.ts';
import { ConditionFailed, Contended, Unavailable } from '#lib/table/errors.ts';
import type { PendingAttachment } from '#lib/table/messaging/pending-attachment.ts';
import { PendingAttachments } from '#lib/table/messaging/pending-attachments.ts';
import type { Table } from '#lib/table/table.ts';
import { type DeclaredFile, newAttachment } from './new-attachment.ts';

/** Deadlines of the table calls. Together with those of the bucket they stay below the five seconds of a request. */
export const storeMilliseconds = 1_900;
export const giveUpMilliseconds = 1_000;
export const forgetMilliseconds = 900;

/** @throws 429, Unavailable */
export type SizeLimit = (table: Table, sizes: readonly number[]) => Promise<void>;

export type FileOwner = Pick<PendingAttachment, 'workspaceId' | 'visitorOf'>;

/** The conditions that fail for a reason of the caller: its key is used, or its conversation is removed. */
const refusals: ReadonlySet<string | undefined> = new Set(['idempotency', 'conversation']);

interface StoredFile extends PendingAttachment {
  readonly writer: FileWriter;
  readonly announced: Promise<void>;
  size: number;
}

/**
 * Stores the files of one upload: all of them become readable, or none. Each is announced in the table before its first
 * byte is written. So the sweeper finds the files of a killed process.
 */
export class StoredFiles {
  readonly #owner: FileOwner;
  readonly #tableFor: (milliseconds: number) => Table;
  readonly #end: AbortSignal | undefined;
  readonly #buffer = Buffer.allocUnsafeSlow(partBytes);
  readonly #files: StoredFile[] = [];
  readonly #limit: SizeLimit | undefined;

  /**
   * @param end aborts all writes into the bucket
   * @param limit refuses files of these sizes
   */
  constructor(owner: FileOwner, tableFor: (milliseconds: number) => Table, end?: AbortSignal, limit?: SizeLimit) {
    this.#owner = owner;
    this.#tableFor = tableFor;
    this.#end = end;
    this.#limit = limit;
  }

  /** Starts the next file. It is announced while its first bytes arrive. */
  open(declared: Omit<DeclaredFile, 'size'>): void {
    const attachment = newAttachment(this.#owner.workspaceId, { ...declared, size: 0 });
    const pending = { ...this.#owner, attachment, direct: false };
    const announced = this.#pending(storeMilliseconds).announce([pending]);
    // `write` reports the failure.
    announced.catch(() => undefined);
    const writer = new FileWriter(attachment, this.#buffer, announced, this.#end);
    this.#files.push({ ...pending, writer, announced, size: 0 });
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
   * Makes all files readable.
   * @param claimWithAnswer makes the first write of the transaction
   * @throws Unavailable when none is readable; ConditionFailed of `idempotency` or `conversation`; errors of the limit.
   * The files are removed, now or by the sweeper.
   */
  async store(claimWithAnswer?: ClaimWithAnswer<Attachment[]>): Promise<Attachment[]> {
    const files = this.#files.map((file) => ({ ...file, attachment: { ...file.attachment, size: file.size } }));
    const attachments = files.map(({ attachment }) => attachment);
    const sizes = files.map(({ size }) => size);
    await this.#limit?.(this.#tableFor(giveUpMilliseconds), sizes).catch(async (error: unknown) => {
      await this.discard();
      throw error;
    });
    try {
      await this.#pending(storeMilliseconds).store(files, claimWithAnswer?.(attachments));
    } catch (cause) {
      // The transaction may have succeeded although its answer was lost. If so, its first file cannot be given up.
      const [first] = files;
      if (first && (await this.#pending(giveUpMilliseconds).giveUp(first))) {
        await this.discard();
        const isRefused = cause instanceof ConditionFailed && refusals.has(cause.write);
        if (isRefused || cause instanceof Contended) throw cause;
        throw new Unavailable('The table did not store the files.', { cause });
      }
    }
    return attachments;
  }

  /** Removes all files. Files that cannot be removed now stay announced for the sweeper. */
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

/** @returns the file if its bytes no longer exist, so that its announcement can be removed */
async function remove(file: StoredFile): Promise<StoredFile[]> {
  // An announcement still in flight could arrive after its removal.
  await file.announced.catch(() => undefined);
  return (await file.writer.discard()) ? [file] : [];
}
