import { answerEvent } from '#lib/access/answers.ts';
import { api } from '#lib/http/api.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, { handle: (request) => answerEvent(request, request.params.id) });
