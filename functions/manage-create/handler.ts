import { api } from '#lib/http/api.ts';
import { writtenRules } from '#lib/manage/kind-rules.ts';
import { answerWrite } from '#lib/manage/write-record.ts';
import { removalOf } from '#lib/table/writer/removal.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => answerWrite({ ...request, rules: writtenRules, removalOf }, 'create'),
  beginsEarly: true,
});
