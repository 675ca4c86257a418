import type { IncomingBody } from '#lib/http/body.ts';
import { badRequest, invalidBody } from '#lib/http/errors.ts';
import { jsonBytesMax, jsonTooLarge } from './refusals.ts';

/** The bytes of an announcement. @throws 413, 400 */
export async function readJsonBytes({ bytes, length = 0 }: IncomingBody): Promise<Buffer> {
  if (length > jsonBytesMax) throw jsonTooLarge();
  const chunks: Buffer[] = [];
  let read = 0;
  try {
    for await (const chunk of bytes.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      read += chunk.length;
      if (read > jsonBytesMax) break;
      chunks.push(chunk);
    }
  } catch {
    throw badRequest([invalidBody({ path: '', code: 'syntax', message: 'The body ended before it was complete.' })]);
  }
  if (read > jsonBytesMax) throw jsonTooLarge();
  return Buffer.concat(chunks);
}
