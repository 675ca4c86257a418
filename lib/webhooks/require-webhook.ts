import { requireGrantable } from '#lib/access/granting.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { StoredWebhook, Webhook } from '#lib/domain/webhooks/webhook.ts';
import { HttpError, notFound } from '#lib/http/errors.ts';
import type { ApiKeyRecord } from '#lib/table/access/api-key-records.ts';
import { findRecord, type Table, type WorkspaceScope } from '#lib/table/table.ts';

/** @throws 404 */
export async function requireWebhook(table: Table, scope: WorkspaceScope, id: string): Promise<StoredWebhook> {
  const webhook = await findRecord<StoredWebhook>(table, scope, 'webhook', id);
  if (!webhook) throw notFound('Webhook');
  return webhook;
}

/** The caller makes the service send what the key of the webhook may read. @throws 403 */
export async function requireSendable(table: Table, principal: Principal, { apiKeyId }: Webhook): Promise<void> {
  const key = await findRecord<ApiKeyRecord>(table, principal, 'apiKey', apiKeyId);
  requireGrantable(principal, { after: key?.permissions ?? [] });
}

/** @throws 409 */
export function requireEnabled({ enabled }: Webhook): void {
  if (!enabled) throw new HttpError(409, 'conflict', 'The webhook is disabled.');
}
