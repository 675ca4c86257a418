import * as z from 'zod/mini';
import { Webhook } from '#lib/domain/webhooks/webhook.ts';
import { createdAndUpdated, crud, defineKind, edits } from './define-kind.ts';

const { replace: _, ...verbs } = crud('webhooks:webhook:read', 'webhooks:webhook:manage');

/** A webhook with its new secret, which no later answer contains. */
export const IssuedWebhook = z.extend(Webhook, { secret: z.optional(z.string()) });

/** Webhooks are in no document: an import would have neither their secrets nor the consent of their receivers. */
export const webhook = defineKind({
  schema: z.partial(Webhook, createdAndUpdated),
  references: [{ path: 'apiKeyId', to: 'apiKey', noun: 'API key' }],
  events: { path: 'webhooks', actions: [...edits, 'disabled'], read: ['webhooks:webhook:read'] },
  managed: {
    path: 'webhooks',
    noun: 'webhook',
    label: { en: 'Webhook', ar: 'خطاف ويب' },
    verbs,
    idPrefix: 'wh_',
    order: 'newest',
    searched: ['id', 'url', 'description', 'types'],
    view: Webhook,
    issued: IssuedWebhook,
    words: {
      record: 'A webhook, without its secret.',
      input: 'A webhook to create. `url`, `types` and `apiKeyId` are required.',
    },
  },
});
