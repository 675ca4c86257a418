import { reads } from '#lib/access/answers.ts';
import { api } from '#lib/http/api.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => reads[request.params.kind as keyof typeof reads](request, request.params.id),
});
