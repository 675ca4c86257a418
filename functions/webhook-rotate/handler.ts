import { api } from '#lib/http/api.ts';
import { webhooks } from '#lib/webhooks/issue-webhook.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) =>
    webhooks.rotate({ ...request, params: { kind: 'webhooks', ...request.params } }, request.body.graceSeconds),
  beginsEarly: true,
});
