import { api } from '#lib/http/api.ts';
import { writtenRules } from '#lib/manage/kind-rules.ts';
import { answerWrite } from '#lib/manage/write-record.ts';
import { removalOf } from '#lib/table/writer/removal.ts';
import { createWebhook } from '#lib/webhooks/issue-webhook.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => {
    const call = { ...request, rules: writtenRules, removalOf };
    // Of these, only the first answer has the secret.
    return request.params.kind === 'webhooks' ? createWebhook(call) : answerWrite(call, 'create');
  },
  beginsEarly: true,
});
