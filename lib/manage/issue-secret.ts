import type { WriteCall } from './managed-record.ts';
import { replyOf, writeOnce } from './write-record.ts';

interface NewSecret {
  /** What is stored of it. */
  readonly stored: string;
  /** Makes it, for the record with this id. */
  readonly secretOf: (id: string) => string | Promise<string>;
  /** How long the former one stays valid. */
  readonly graceSeconds: number;
}

/** Creates a record with a secret, or gives one a new secret. Only this answer has it. @throws 400, 403, 404, 409 */
export async function issueSecret(
  call: WriteCall,
  write: Omit<Parameters<typeof writeOnce>[1], 'issued'>,
  { stored, secretOf, graceSeconds }: NewSecret,
) {
  const { answer, isFirst } = await writeOnce(call, { ...write, issued: { stored, graceSeconds } });
  const record: { readonly id: string } = JSON.parse(answer.json);
  // A retry gets the record alone, and no cache may store a secret.
  const json = isFirst ? JSON.stringify({ ...record, secret: await secretOf(record.id) }) : answer.json;
  return replyOf({ ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' }, json });
}
