import { reads } from '#lib/access/answers.ts';
import { readApi } from '#lib/http/read-api.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, {
  handle: (request) => reads[request.params.kind as keyof typeof reads](request, request.params.id),
});
