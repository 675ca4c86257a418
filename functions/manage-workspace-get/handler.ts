import { api } from '#lib/http/api.ts';
import { answerRecord } from '#lib/manage/answer-record.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => answerRecord({ ...request, params: { kind: 'workspace', id: request.principal.workspaceId } }),
});
