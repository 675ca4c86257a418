import { keyRules, memberRules } from '#lib/access/access-rules.ts';
import { api } from '#lib/http/api.ts';
import { answerWrite } from '#lib/manage/write-record.ts';
import { webhookRules } from '#lib/webhooks/webhook-rules.ts';
import { endpoint } from './endpoint.ts';

const rules = { apiKey: keyRules, member: memberRules, webhook: webhookRules };

export const handler = api(endpoint, {
  handle: (request) => answerWrite({ ...request, rules }, 'update'),
  beginsEarly: true,
});
