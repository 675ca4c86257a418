import { readApi } from '#lib/http/read-api.ts';
import { answerRecord } from '#lib/manage/answer-record.ts';
import { storedSchema } from '#lib/manage/stored-schema.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, {
  handle: (request) =>
    answerRecord({
      ...request,
      params: { kind: 'workspace', id: request.principal.workspaceId },
      rules: storedSchema,
    }),
});
