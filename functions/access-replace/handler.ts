import { memberRules } from '#lib/access/access-rules.ts';
import { api } from '#lib/http/api.ts';
import { answerWrite } from '#lib/manage/write-record.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => answerWrite({ ...request, rules: { member: memberRules } }, 'replace'),
  beginsEarly: true,
});
