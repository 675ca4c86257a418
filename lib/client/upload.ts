import { ApiError } from './api-error.ts';
import type { Transport } from './transport.ts';
import type { NewFile, UploadedFile } from './types.ts';

const path = '/api/v1/connect/attachments';
/** What every way in carries, with room for what stands around the files in a multipart body. */
const multipartBytesMax = 4_000_000;

/**
 * Sends small files in one request, and larger ones straight to the bucket.
 * @throws ApiError
 */
export async function uploadFiles(
  transport: Transport,
  files: readonly NewFile[],
  put: typeof fetch,
): Promise<UploadedFile[]> {
  const blobs = files.map(({ name, type, data }) => {
    const own = data instanceof Blob ? data.type : '';
    const content = new Blob([data], { type: type ?? (own || 'application/octet-stream') });
    return { name, content };
  });
  const bytes = blobs.reduce((sum, { name, content }) => sum + content.size + 4 * name.length + 500, 0);
  return bytes <= multipartBytesMax ? sendTogether(transport, blobs) : sendDirectly(transport, blobs, put);
}

interface NamedBlob {
  readonly name: string;
  readonly content: Blob;
}

async function sendTogether(transport: Transport, files: readonly NamedBlob[]): Promise<UploadedFile[]> {
  const body = new FormData();
  for (const { name, content } of files) body.append('files', content, name);
  const response = await transport.send({ method: 'POST', path, body, isRepeatable: false, isLong: true });
  return filesOf(response);
}

/** What is announced and never sent goes away by itself. */
async function sendDirectly(
  transport: Transport,
  files: readonly NamedBlob[],
  put: typeof fetch,
): Promise<UploadedFile[]> {
  const json = { files: files.map(({ name, content }) => ({ name, type: content.type, size: content.size })) };
  const announced = await filesOf(await transport.send({ method: 'POST', path, json, isRepeatable: true }));
  return Promise.all(
    announced.map(async ({ upload, ...file }, index) => {
      const content = files[index]?.content;
      if (!upload || !content) throw new Error('The service has not said where to send the file.');
      // Its length is that of the content, which fetch knows; it does not let others name it.
      const { 'content-length': _, ...headers } = upload.headers;
      const response = await put(upload.url, { method: upload.method, headers, body: content });
      if (!response.ok) throw await ApiError.of(response);
      return file;
    }),
  );
}

const filesOf = async (response: Response): Promise<UploadedFile[]> =>
  ((await response.json()) as { readonly files: UploadedFile[] }).files;
