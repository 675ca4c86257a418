import { memberRules } from '#lib/access/access-rules.ts';
import { api } from '#lib/http/api.ts';
import { answerWrite } from '#lib/manage/write-record.ts';
import { webhookRules } from '#lib/webhooks/webhook-rules.ts';
import { endpoint } from './endpoint.ts';

/** No record refers to them. */
const removable = { refuseRemoval: async () => {} };
const rules = { member: { ...memberRules, ...removable }, webhook: { ...webhookRules, ...removable } };

export const handler = api(endpoint, {
  handle: ({ body, ...request }) => answerWrite({ ...request, rules }, 'delete'),
  beginsEarly: true,
});
