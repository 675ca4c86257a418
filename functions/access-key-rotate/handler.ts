import { apiKeys } from '#lib/access/issue-secret.ts';
import { api } from '#lib/http/api.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => apiKeys.rotate({ ...request, params: keyOf(request) }, request.body.graceSeconds),
  beginsEarly: true,
});

const keyOf = ({ params }: { readonly params: { readonly id: string } }) => ({ kind: 'api-keys', id: params.id });
