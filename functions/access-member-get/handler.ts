import { answerMember } from '#lib/access/answers.ts';
import { api } from '#lib/http/api.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, { handle: (request) => answerMember(request, request.params.id) });
