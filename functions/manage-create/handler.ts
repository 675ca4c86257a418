import { api } from '#lib/http/api.ts';
import { sharedRules } from '#lib/manage/kind-rules.ts';
import { answerWrite } from '#lib/manage/write-record.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => answerWrite({ ...request, rules: sharedRules }, 'create'),
  beginsEarly: true,
});
