import { rotateKey, rotation } from '#lib/access/issue-secret.ts';
import { api } from '#lib/http/api.ts';
import { warmWrite } from '#lib/manage/warm-write.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => rotateKey({ ...request, params: keyOf(request) }, request.body.graceSeconds),
  warm: ({ hint, ...request }) => warmWrite({ ...request, params: keyOf(request) }, 'update', rotation),
});

const keyOf = ({ params }: { readonly params: { readonly id: string } }) => ({ kind: 'api-keys', id: params.id });
