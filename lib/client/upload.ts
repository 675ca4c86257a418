import { ApiError } from './api-error.ts';
import type { NewFile } from './own-types.ts';
import type { ClientRequest, Transport } from './transport.ts';
import type { AnnouncedFile, UploadedFile } from './types.ts';

const path = '/api/v1/connect/attachments';
/** The size that every deployment accepts in one request, with room for multipart framing. */
export const multipartBytesMax = 4_000_000;

/**
 * Sends small files in one request and larger ones directly to the bucket.
 * @param idempotencyKey makes the upload repeatable
 * @throws ApiError
 */
export async function uploadFiles(
  transport: Transport,
  files: readonly NewFile[],
  idempotencyKey: string,
): Promise<UploadedFile[]> {
  const blobs = files.map((file) => ({ name: file.name, content: blobOf(file) }));
  const bytes = blobs.reduce((sum, { name, content }) => sum + content.size + 4 * name.length + 500, 0);
  const send = bytes <= multipartBytesMax ? sendTogether : sendDirectly;
  return send(transport, blobs, {
    method: 'POST',
    path,
    headers: { 'idempotency-key': idempotencyKey },
    isRepeatable: true,
  });
}

interface NamedBlob {
  readonly name: string;
  readonly content: Blob;
}

async function sendTogether(
  transport: Transport,
  files: readonly NamedBlob[],
  request: ClientRequest,
): Promise<UploadedFile[]> {
  const body = new FormData();
  for (const { name, content } of files) body.append('files', content, name);
  return filesOf<UploadedFile>(await transport.send({ ...request, body, isLong: true }));
}

/** The service removes announced files that are never sent. */
async function sendDirectly(
  transport: Transport,
  files: readonly NamedBlob[],
  request: ClientRequest,
): Promise<UploadedFile[]> {
  const json = { files: files.map(({ name, content }) => ({ name, type: content.type, size: content.size })) };
  const announced = await filesOf<AnnouncedFile>(await transport.send({ ...request, path: `${path}/announce`, json }));
  return Promise.all(
    announced.map(async ({ upload, ...file }, index) => {
      const content = files[index]?.content;
      if (!content) throw new Error('The response has more files than the request.');
      await sendToBucket(transport, upload, content);
      return file;
    }),
  );
}

/** The content of a file, with its media type. */
export function blobOf({ type, data }: NewFile): Blob {
  const blobType = data instanceof Blob ? data.type : '';
  return new Blob([data], { type: type ?? (blobType || 'application/octet-stream') });
}

/** Sends the content of an announced file. */
export async function sendToBucket(
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

const filesOf = async <File>(response: Response): Promise<File[]> =>
  ((await response.json()) as { readonly files: File[] }).files;
