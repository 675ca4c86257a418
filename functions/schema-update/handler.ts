import { api } from '#lib/http/api.ts';
import { schemaRules } from '#lib/manage/schema-rules.ts';
import { answerWrite } from '#lib/manage/write-record.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: ({ params, ...request }) => {
    const { workspaceId } = request.principal;
    const address = params.kind === 'workspace' ? { ...params, id: workspaceId } : params;
    return answerWrite({ ...request, params: address, rules: schemaRules }, 'update');
  },
  beginsEarly: true,
});
