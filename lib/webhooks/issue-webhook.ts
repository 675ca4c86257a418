import { randomBytes } from 'node:crypto';
import type { JsonObject } from '#lib/domain/json-object.ts';
import { issueSecret } from '#lib/manage/issue-secret.ts';
import type { WriteCall } from '#lib/manage/managed-record.ts';
import { newSecretOf } from './secrets.ts';
import { webhookRules } from './webhook-rules.ts';

type WebhookCall = Omit<WriteCall, 'rules'>;

/** Creates a webhook. Only this answer has its secret. @throws 400, 403, 409 */
export const createWebhook = (call: WebhookCall) => issue(call, { verb: 'create', body: call.body as JsonObject }, 0);

/** Gives a webhook a new secret. During the grace period the former one signs, too. @throws 403, 404 */
export const rotateWebhook = (call: WebhookCall, graceSeconds: number) =>
  issue(call, { verb: 'update', body: {}, operation: 'rotate' }, graceSeconds);

function issue(call: WebhookCall, write: Parameters<typeof issueSecret>[1], graceSeconds: number) {
  const version = randomBytes(12).toString('hex');
  const secretOf = (id: string) => newSecretOf(call.principal.workspaceId, id, version);
  return issueSecret({ ...call, rules: { webhook: webhookRules } }, write, { stored: version, secretOf, graceSeconds });
}
