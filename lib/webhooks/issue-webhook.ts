import { randomBytes } from 'node:crypto';
import { secretIssuer } from '#lib/manage/issue-secret.ts';
import { newSecretOf } from './signature.ts';
import { webhookRules } from './webhook-rules.ts';

export const webhooks = secretIssuer({ webhook: webhookRules }, (workspaceId) => {
  const version = randomBytes(12).toString('hex');
  return { stored: version, secretOf: (id) => newSecretOf(workspaceId, id, version) };
});
