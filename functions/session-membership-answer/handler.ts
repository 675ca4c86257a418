import { api } from '#lib/http/api.ts';
import { answerMembership } from '#lib/session/answer-membership.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async (request) => {
    const { accept } = request.body;
    await answerMembership(request, { workspaceId: request.params.workspaceId, accept });
    return { empty: true };
  },
});
