import { api } from '#lib/http/api.ts';
import { answerWrite } from '#lib/manage/answer-write.ts';
import { rulesWithRemoval } from '#lib/manage/removal-rules.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: ({ body, ...request }) => answerWrite({ ...request, rules: rulesWithRemoval }, 'delete'),
  beginsEarly: true,
});
