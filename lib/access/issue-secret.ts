import type { JsonObject } from '#lib/domain/json-object.ts';
import { issueSecret } from '#lib/manage/issue-secret.ts';
import type { WriteCall } from '#lib/manage/managed-record.ts';
import { hashOfSecret } from '#lib/table/access/api-keys.ts';
import { newSecret } from '#lib/table/access/new-secret.ts';
import { keyRules } from './key-rules.ts';

type KeyCall = Omit<WriteCall, 'rules'>;

/** Creates a key. Only this answer has its secret. @throws 400, 403, 409 */
export const createKey = (call: KeyCall) => issueKey(call, { verb: 'create', body: call.body as JsonObject }, 0);

/**
 * Gives a key a new secret. The former one stays valid for the grace period, earlier ones become invalid.
 * @throws 403, 404
 */
export const rotateKey = (call: KeyCall, graceSeconds: number) =>
  issueKey(call, { verb: 'update', body: {}, operation: 'rotate' }, graceSeconds);

function issueKey(call: KeyCall, write: Parameters<typeof issueSecret>[1], graceSeconds: number) {
  const secret = newSecret();
  const issued = { stored: hashOfSecret(secret), secretOf: () => secret, graceSeconds };
  return issueSecret({ ...call, rules: { apiKey: keyRules } }, write, issued);
}
