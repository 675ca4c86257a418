import { keyRules } from '#lib/access/key-rules.ts';
import { memberRules } from '#lib/access/member-rules.ts';
import { api } from '#lib/http/api.ts';
import { answerWrite } from '#lib/manage/write-record.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => answerWrite({ ...request, rules: { apiKey: keyRules, member: memberRules } }, 'update'),
  beginsEarly: true,
});
