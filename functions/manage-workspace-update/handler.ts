import { api } from '#lib/http/api.ts';
import { answerWrite } from '#lib/manage/write-record.ts';
import { workspaceRules } from '#lib/table/writer/workspace-rules.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) =>
    answerWrite(
      {
        ...request,
        params: { kind: 'workspace', id: request.principal.workspaceId },
        rules: { workspace: { storage: workspaceRules } },
      },
      'update',
    ),
  beginsEarly: true,
});
