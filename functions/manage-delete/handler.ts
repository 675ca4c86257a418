import { api } from '#lib/http/api.ts';
import { rulesWithRemoval } from '#lib/manage/removal-rules.ts';
import { answerWrite } from '#lib/manage/write-record.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: ({ body, ...request }) => answerWrite({ ...request, rules: rulesWithRemoval }, 'delete'),
  beginsEarly: true,
});
