import { api } from '#lib/http/api.ts';
import { writtenRules } from '#lib/manage/kind-rules.ts';
import { answerWrite } from '#lib/manage/write-record.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => answerWrite({ ...request, rules: writtenRules }, 'create'),
  beginsEarly: true,
});
