import { ApiError } from './api-error.ts';
import type { NewFile } from './own-types.ts';
import { Calls, segment, type Transport } from './transport.ts';
import type { AnnouncedFile, AnnouncedImage, StoredImage, UploadedFile } from './types.ts';

const attachments = '/api/v1/connect/attachments';
const media = '/api/v1/manage/media';
/** The size that every deployment accepts in one request, with room for multipart framing. */
const multipartBytesMax = 4_000_000;

interface NamedBlob {
  readonly name: string;
  readonly content: Blob;
}

/**
 * Sends small files in one request and larger ones directly to the bucket. The service removes announced files that are
 * never sent.
 * @param idempotencyKey makes the upload repeatable
 * @throws ApiError
 */
export async function uploadFiles(
  transport: Transport,
  newFiles: readonly NewFile[],
  idempotencyKey: string,
): Promise<UploadedFile[]> {
  const files = newFiles.map(readFile);
  if (fitTogether(files)) {
    return (await sendTogether<{ readonly files: UploadedFile[] }>(transport, attachments, files, idempotencyKey))
      .files;
  }
  const announced = await announce<{ readonly files: AnnouncedFile[] }>(transport, attachments, files, idempotencyKey);
  return Promise.all(
    announced.files.map(async ({ upload, ...file }, index) => {
      const content = files[index]?.content;
      if (!content) throw new Error('The response has more files than the request.');
      await sendToBucket(transport, upload, content);
      return file;
    }),
  );
}

/** The content of a file, with its media type. */
function readFile({ name, type, data }: NewFile): NamedBlob {
  const blobType = data instanceof Blob ? data.type : '';
  return { name, content: new Blob([data], { type: type ?? (blobType || 'application/octet-stream') }) };
}

const fitTogether = (files: readonly NamedBlob[]): boolean =>
  files.reduce((sum, { name, content }) => sum + content.size + 4 * name.length + 500, 0) <= multipartBytesMax;

function sendTogether<Answer>(
  transport: Transport,
  path: string,
  files: readonly NamedBlob[],
  idempotencyKey: string,
): Promise<Answer> {
  const body = new FormData();
  for (const { name, content } of files) body.append('files', content, name);
  return transport.json({ method: 'POST', path, body, idempotencyKey, isLong: true });
}

function announce<Answer>(
  transport: Transport,
  path: string,
  files: readonly NamedBlob[],
  idempotencyKey: string,
): Promise<Answer> {
  const json = { files: files.map(({ name, content: { type, size } }) => ({ name, type, size })) };
  return transport.json({ method: 'POST', path: `${path}/announce`, json, idempotencyKey });
}

/** Sends the content of an announced file. */
async function sendToBucket(
  transport: Transport,
  { method, url, headers }: AnnouncedFile['upload'],
  body: Blob,
): Promise<void> {
  // fetch sets content-length itself and forbids setting it.
  const { 'content-length': _, ...sent } = headers;
  await transport.sendFile(url, { method, headers: sent, body }).catch((error: unknown) => {
    // 412 means that an earlier attempt stored the file and its response was lost.
    if (!(error instanceof ApiError) || error.status !== 412) throw error;
  });
}

/** Public images. */
export class MediaCalls extends Calls {
  /** Stores an image of at most 10 MB. A small one is sent in one request, a larger one directly to the bucket. */
  async upload(newFile: NewFile): Promise<StoredImage> {
    const file = readFile(newFile);
    const idempotencyKey: string = crypto.randomUUID();
    if (fitTogether([file])) return sendTogether(this.transport, media, [file], idempotencyKey);
    const { id, upload } = await announce<AnnouncedImage>(this.transport, media, [file], idempotencyKey);
    await sendToBucket(this.transport, upload, file.content);
    return this.confirm(id);
  }

  /** Announces an image. Send its content to `upload`, then confirm it. */
  announce = (
    file: { readonly name: string; readonly type: string; readonly size: number },
    idempotencyKey: string = crypto.randomUUID(),
  ): Promise<AnnouncedImage> =>
    this.transport.json({ method: 'POST', path: `${media}/announce`, json: { files: [file] }, idempotencyKey });

  /** Makes an announced image public after its content has arrived. */
  confirm = async (id: string): Promise<StoredImage> =>
    this.transport.json({ method: 'POST', path: `${media}/${segment(id)}`, isRepeatable: true });

  /** Deletes an image that no record uses; 409 `in_use` names the records that use it. */
  delete = async (id: string): Promise<void> => {
    await this.transport.send({ method: 'DELETE', path: `${media}/${segment(id)}` });
  };
}
