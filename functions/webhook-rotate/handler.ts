import { api } from '#lib/http/api.ts';
import { rotateWebhook } from '#lib/webhooks/issue-webhook.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) =>
    rotateWebhook({ ...request, params: { kind: 'webhooks', ...request.params } }, request.body.graceSeconds),
  beginsEarly: true,
});
