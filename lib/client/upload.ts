import { ApiError } from './api-error.ts';
import type { NewFile } from './own-types.ts';
import type { ClientRequest, Transport } from './transport.ts';
import type { UploadedFile } from './types.ts';

const path = '/api/v1/connect/attachments';
/** The size that every deployment accepts in one request, with room for multipart framing. */
const multipartBytesMax = 4_000_000;

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
  const blobs = files.map(({ name, type, data }) => {
    const blobType = data instanceof Blob ? data.type : '';
    const content = new Blob([data], { type: type ?? (blobType || 'application/octet-stream') });
    return { name, content };
  });
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
  return filesOf(await transport.send({ ...request, body, isLong: true }));
}

/** The service removes announced files that are never sent. */
async function sendDirectly(
  transport: Transport,
  files: readonly NamedBlob[],
  request: ClientRequest,
): Promise<UploadedFile[]> {
  const json = { files: files.map(({ name, content }) => ({ name, type: content.type, size: content.size })) };
  const announced = await filesOf(await transport.send({ ...request, json }));
  return Promise.all(
    announced.map(async ({ upload, ...file }, index) => {
      const content = files[index]?.content;
      if (!upload || !content) throw new Error('The response has no upload URL for the file.');
      // fetch sets content-length itself and forbids setting it.
      const { 'content-length': _, ...headers } = upload.headers;
      await transport
        .sendFile(upload.url, { method: upload.method, headers, body: content })
        .catch(ignoreAlreadyStored);
      return file;
    }),
  );
}

/** 412 means that an earlier attempt stored the file and its response was lost. */
function ignoreAlreadyStored(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 412) throw error;
}

const filesOf = async (response: Response): Promise<UploadedFile[]> =>
  ((await response.json()) as { readonly files: UploadedFile[] }).files;
