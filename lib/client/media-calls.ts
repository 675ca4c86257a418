import { ApiError } from './api-error.ts';
import type { NewFile } from './own-types.ts';
import type { Transport } from './transport.ts';

/** An image for everybody to see, as records name it. */
export interface StoredImage {
  readonly id: string;
  readonly url: string;
  readonly alt: Readonly<Record<string, string>> | null;
  readonly width: number | null;
  readonly height: number | null;
}

interface Announced {
  readonly id: string;
  readonly upload: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
  };
}

const path = '/api/v1/manage/media';
/** The size that every deployment accepts in one request, with room for multipart framing. */
const multipartBytesMax = 4_000_000;

/** Public images. */
export class MediaCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Stores an image of at most 10 MB: a small one in one request, a larger one directly in the bucket. */
  async upload({ name, type, data }: NewFile): Promise<StoredImage> {
    const own = data instanceof Blob ? data.type : '';
    const content = new Blob([data], { type: type ?? (own || 'application/octet-stream') });
    const headers = { 'idempotency-key': crypto.randomUUID() as string };
    if (content.size > multipartBytesMax) return this.#sendDirectly(name, content, headers);
    const body = new FormData();
    body.append('files', content, name);
    const request = { method: 'POST', path, headers, body, isRepeatable: true, isLong: true };
    return (await (await this.#transport.send(request)).json()) as StoredImage;
  }

  async #sendDirectly(name: string, content: Blob, headers: Readonly<Record<string, string>>): Promise<StoredImage> {
    const json = { files: [{ name, type: content.type, size: content.size }] };
    const announce = { method: 'POST', path, headers, json, isRepeatable: true };
    const { id, upload } = (await (await this.#transport.send(announce)).json()) as Announced;
    // fetch sets content-length itself and forbids setting it.
    const { 'content-length': _, ...sent } = upload.headers;
    await this.#transport
      .sendFile(upload.url, { method: upload.method, headers: sent, body: content })
      .catch(unlessThere);
    const confirm = { method: 'POST', path: `${path}/${encodeURIComponent(id)}`, isRepeatable: true };
    return (await (await this.#transport.send(confirm)).json()) as StoredImage;
  }
}

/** 412 means that an earlier attempt stored the file and its response was lost. */
function unlessThere(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 412) throw error;
}
