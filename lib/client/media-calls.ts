import type { NewFile } from './own-types.ts';
import type { Transport } from './transport.ts';
import type { AnnouncedFile } from './types.ts';
import { blobOf, multipartBytesMax, sendToBucket } from './upload.ts';

/** A public image, as records refer to it. */
export interface StoredImage {
  readonly id: string;
  readonly url: string;
  readonly alt: Readonly<Record<string, string>> | null;
  readonly width: number | null;
  readonly height: number | null;
}

/** An announced image: the address for its content, and the time when that address expires. */
export interface AnnouncedImage {
  readonly id: string;
  readonly url: string;
  readonly upload: AnnouncedFile['upload'];
}

const path = '/api/v1/manage/media';

/** Public images. */
export class MediaCalls {
  readonly #transport: Transport;
  readonly #segment: (text: string) => string;

  /** @param segment writes an id as a segment of a path */
  constructor(transport: Transport, segment: (text: string) => string) {
    this.#transport = transport;
    this.#segment = segment;
  }

  /** Stores an image of at most 10 MB. A small one is sent in one request, a larger one directly to the bucket. */
  async upload(file: NewFile): Promise<StoredImage> {
    const { name } = file;
    const content = blobOf(file);
    const idempotencyKey: string = crypto.randomUUID();
    if (content.size > multipartBytesMax) return this.#sendDirectly(name, content, idempotencyKey);
    const body = new FormData();
    body.append('files', content, name);
    const headers = { 'idempotency-key': idempotencyKey };
    const request = { method: 'POST', path, headers, body, isRepeatable: true, isLong: true };
    return (await (await this.#transport.send(request)).json()) as StoredImage;
  }

  /** Announces an image. Send its content to `upload`, then confirm it. */
  async announce(
    file: { readonly name: string; readonly type: string; readonly size: number },
    idempotencyKey: string = crypto.randomUUID(),
  ): Promise<AnnouncedImage> {
    const headers = { 'idempotency-key': idempotencyKey };
    const announce = { method: 'POST', path: `${path}/announce`, headers, json: { files: [file] }, isRepeatable: true };
    return (await (await this.#transport.send(announce)).json()) as AnnouncedImage;
  }

  /** Makes an announced image public after its content has arrived. */
  async confirm(id: string): Promise<StoredImage> {
    const confirm = { method: 'POST', path: `${path}/${this.#segment(id)}`, isRepeatable: true };
    return (await (await this.#transport.send(confirm)).json()) as StoredImage;
  }

  /** Deletes an image that no record uses; 409 `in_use` names the records that use it. */
  async delete(id: string): Promise<void> {
    await this.#transport.send({ method: 'DELETE', path: `${path}/${this.#segment(id)}`, isRepeatable: false });
  }

  async #sendDirectly(name: string, content: Blob, idempotencyKey: string): Promise<StoredImage> {
    const { id, upload } = await this.announce({ name, type: content.type, size: content.size }, idempotencyKey);
    await sendToBucket(this.#transport, upload, content);
    return this.confirm(id);
  }
}
