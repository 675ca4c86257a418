import { api } from '#lib/http/api.ts';
import { answerWrite, warmWrite } from '#lib/manage/answer-write.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: ({ body, ...request }) => answerWrite(request, 'delete'),
  warm: (request) => warmWrite(request, 'delete'),
});
