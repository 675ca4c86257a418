import type { JsonObject } from '#lib/domain/json-object.ts';
import { replyOf, type WriteCall, writeOnce } from '#lib/manage/write-record.ts';
import { hashOfSecret } from '#lib/table/access/api-keys.ts';
import { newSecret } from '#lib/table/access/new-secret.ts';
import { keyRules } from './key-rules.ts';

type KeyCall = Omit<WriteCall, 'rules'>;

/** Creates a key. Only this answer has its secret. @throws 400, 403, 409 */
export const createKey = (call: KeyCall) => issueSecret(call, { verb: 'create', body: call.body as JsonObject }, 0);

/**
 * Gives a key a new secret. The former one stays valid for the grace period, earlier ones become invalid.
 * @throws 403, 404
 */
export const rotateKey = (call: KeyCall, graceSeconds: number) =>
  issueSecret(call, { verb: 'update', body: {}, operation: 'rotate' }, graceSeconds);

async function issueSecret(
  call: KeyCall,
  write: Omit<Parameters<typeof writeOnce>[1], 'issued'>,
  graceSeconds: number,
) {
  const secret = newSecret();
  const issued = { secretHash: hashOfSecret(secret), graceSeconds };
  const { answer, isFirst } = await writeOnce({ ...call, rules: { apiKey: keyRules } }, { ...write, issued });
  // A retry gets the record alone, and no cache may store a secret.
  const json = isFirst ? JSON.stringify({ ...JSON.parse(answer.json), secret }) : answer.json;
  return replyOf({ ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' }, json });
}
