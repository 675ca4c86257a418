import { type Answer, call } from './call.ts';
import { png } from './image-files.ts';
import { formBody, type Part } from './multipart.ts';

export const mediaAddress = '/api/v1/manage/media';

export const imagePart = (bytes: Uint8Array | string = png(), rest: Partial<Part> = {}): Part => ({
  filename: 'a.png',
  type: 'image/png',
  bytes,
  ...rest,
});

/** The answer to an upload of these parts. */
export function upload(key: string, parts: readonly Part[], headers: Record<string, string> = {}): Promise<Answer> {
  const { headers: own, body } = formBody(parts);
  return call(`POST ${mediaAddress}`, { key, headers: { ...own, ...headers }, body });
}

export const announce = (key: string, file: object, headers: Record<string, string> = {}): Promise<Answer> =>
  call(`POST ${mediaAddress}/announce`, { key, headers, body: { files: [file] } });

/** Announces an image and sends it to the bucket. */
export async function sendDirectly(key: string, bytes: Uint8Array): Promise<{ id: string; url: string }> {
  const { json } = await announce(key, { name: 'a.png', type: 'image/png', size: bytes.length });
  const { status } = await fetch(json.upload.url, {
    method: 'PUT',
    headers: json.upload.headers,
    body: Buffer.from(bytes),
  });
  if (status !== 200) throw new Error(`The bucket answered ${status}.`);
  return json;
}

/** The public answer at the address of an image. */
export const fetchImage = (url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  call(`${method} ${url.slice(url.indexOf('/media/'))}`, { headers });
