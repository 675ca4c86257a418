import { readApi } from '#lib/http/read-api.ts';
import { answerList, listIssues } from '#lib/manage/answer-list.ts';
import { answerDeleted } from '#lib/manage/deleted-records.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, {
  handle: (request) => (request.params.kind === 'deleted' ? answerDeleted(request) : answerList(request)),
  findIssues: listIssues,
});
