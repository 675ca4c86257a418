import { api } from '#lib/http/api.ts';
import { answerWrite, warmWrite } from '#lib/manage/answer-write.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => answerWrite(request, 'create'),
  warm: (request) => warmWrite(request, 'create'),
});
