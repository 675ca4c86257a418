import { answerEvents } from '#lib/access/audit-log.ts';
import { readApi } from '#lib/http/read-api.ts';
import { answerList } from '#lib/manage/answer-list.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, {
  handle: (request) => (request.params.kind === 'audit-events' ? answerEvents(request) : answerList(request)),
});
