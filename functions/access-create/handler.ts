import { memberRules } from '#lib/access/access-rules.ts';
import { apiKeys } from '#lib/access/issue-secret.ts';
import { api } from '#lib/http/api.ts';
import { answerWrite } from '#lib/manage/write-record.ts';
import { webhooks } from '#lib/webhooks/issue-webhook.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => {
    // Only the first answer has the secret of a key or a webhook.
    if (request.params.kind === 'api-keys') return apiKeys.create(request);
    if (request.params.kind === 'webhooks') return webhooks.create(request);
    return answerWrite({ ...request, rules: { member: memberRules } }, 'create');
  },
  beginsEarly: true,
});
