import { createKey } from '#lib/access/issue-secret.ts';
import { memberRules } from '#lib/access/member-rules.ts';
import { api } from '#lib/http/api.ts';
import { answerWrite } from '#lib/manage/write-record.ts';
import { createWebhook } from '#lib/webhooks/issue-webhook.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => {
    // Only the first answer has the secret of a key or a webhook.
    if (request.params.kind === 'api-keys') return createKey(request);
    if (request.params.kind === 'webhooks') return createWebhook(request);
    return answerWrite({ ...request, rules: { member: memberRules } }, 'create');
  },
  beginsEarly: true,
});
