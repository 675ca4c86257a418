import { api } from '#lib/http/api.ts';
import { schemaRules } from '#lib/manage/schema-rules.ts';
import { answerWrite } from '#lib/manage/write-record.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => answerWrite({ ...request, rules: schemaRules }, 'create'),
  beginsEarly: true,
});
