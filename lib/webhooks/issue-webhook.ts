import { randomBytes } from 'node:crypto';
import type { JsonObject } from '#lib/domain/json-object.ts';
import { issueSecret } from '#lib/manage/issue-secret.ts';
import type { WriteCall } from '#lib/manage/managed-record.ts';
import { newSecretOf } from './secrets.ts';
import { webhookRules } from './webhook-rules.ts';

/** Creates a webhook. Only this answer has its secret. @throws 400, 403, 409 */
export const createWebhook = (call: WriteCall) => issue(call, { verb: 'create', body: call.body as JsonObject }, 0);

/** Gives a webhook a new secret. During the grace period the former one signs, too. @throws 403, 404 */
export const rotateWebhook = (call: Omit<WriteCall, 'rules'>, graceSeconds: number) =>
  issue({ ...call, rules: { webhook: webhookRules } }, { verb: 'update', body: {}, operation: 'rotate' }, graceSeconds);

function issue(call: WriteCall, write: Parameters<typeof issueSecret>[1], graceSeconds: number) {
  const version = randomBytes(12).toString('hex');
  const secretOf = (id: string) => newSecretOf(call.principal.workspaceId, id, version);
  return issueSecret(call, write, { stored: version, secretOf, graceSeconds });
}
