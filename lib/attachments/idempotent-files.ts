import { createHash } from 'node:crypto';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { jsonHash } from '#lib/domain/text/json-hash.ts';
import { asInFlight } from '#lib/http/idempotency.ts';
import type { IdempotencyRecord, RecordedOutcome } from '#lib/table/access/idempotency-records.ts';
import { Unavailable } from '#lib/table/errors.ts';
import type { DeclaredFile } from './new-attachment.ts';
import { attachmentsIn } from './recorded-attachments.ts';
import { type FileSink, StoredFiles } from './stored-files.ts';

interface Digest {
  readonly name: string;
  readonly type: string | null;
  readonly hash: ReturnType<typeof createHash>;
}

/**
 * The files of an upload under an Idempotency-Key, stored once together with the record of the key. A retry stores
 * nothing: its files must have the same names, types and bytes. The multipart encoding may differ.
 */
export class IdempotentFiles implements FileSink {
  readonly #record: IdempotencyRecord;
  readonly #target: StoredFiles | RecordedOutcome;
  readonly #digests: Digest[] = [];

  private constructor(record: IdempotencyRecord, target: StoredFiles | RecordedOutcome) {
    this.#record = record;
    this.#target = target;
  }

  /** @param storing creates the sink for a new key @throws Unavailable */
  static async open(record: IdempotencyRecord, storing: () => StoredFiles): Promise<IdempotentFiles> {
    return new IdempotentFiles(record, (await record.find()) ?? storing());
  }

  get count(): number {
    return this.#digests.length;
  }

  open(declared: Omit<DeclaredFile, 'size'>): void {
    this.#digests.push({ name: declared.name, type: declared.type ?? null, hash: createHash('sha256') });
    this.#stored?.open(declared);
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#digests.at(-1)?.hash.update(chunk);
    await this.#stored?.write(chunk);
  }

  async close(): Promise<void> {
    await this.#stored?.close();
  }

  /** @returns the attachments of the first upload @throws 409, 422, Unavailable */
  async store(): Promise<Attachment[]> {
    const files = this.#digests.map(({ name, type, hash }) => ({ name, type, bytes: hash.digest('hex') }));
    const requestHash = jsonHash(['sent', files]);
    if (!(this.#target instanceof StoredFiles)) return attachmentsIn(this.#target, requestHash);
    try {
      return await this.#target.store((attachments) => this.#record.write(requestHash, JSON.stringify(attachments)));
    } catch (error) {
      const cause = error instanceof Unavailable ? error.cause : error;
      const outcome = this.#record.outcomeIn(cause);
      if (outcome) return attachmentsIn(outcome, requestHash);
      const refusal = asInFlight(cause);
      throw refusal === cause ? error : refusal;
    }
  }

  async discard(): Promise<void> {
    await this.#stored?.discard();
  }

  get #stored(): StoredFiles | undefined {
    return this.#target instanceof StoredFiles ? this.#target : undefined;
  }
}
