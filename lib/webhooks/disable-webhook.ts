import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { Webhook } from '#lib/domain/webhooks/webhook.ts';
import { eventWrite } from '#lib/table/events/event-writes.ts';
import type { Table } from '#lib/table/table.ts';
import { applyChange } from '#lib/table/writer/apply-change.ts';
import { ChangeRefused } from '#lib/table/writer/change.ts';
import { recordRules } from '#lib/table/writer/record-rules.ts';

/** The service itself, where no request makes a change. */
const service = { type: 'system', id: null, name: 'Workspace API' } as const;

/** Switches a webhook off, with an event that says so. One that is off already, or gone, stays as it is. */
export async function disableWebhook(
  table: Table,
  scope: WorkspaceScope,
  id: string,
  disabledReason: 'gone' | 'failing',
): Promise<void> {
  const decide = async ({ record }: { readonly record: object | undefined }) => {
    const webhook = record as Webhook | undefined;
    if (!webhook?.enabled) throw new ChangeRefused('missing');
    return { ...webhook, enabled: false, disabledReason, updatedAt: undefined };
  };
  const disabled = { kind: 'webhooks', recordId: id, action: 'disabled', actor: service, requestId: null } as const;
  const additionalWrites = () => ({ event: eventWrite(scope, disabled) });
  const context = { now: new Date().toISOString(), additionalWrites };
  try {
    await applyChange(recordRules, table, scope, { kind: 'webhook', id, decide }, context);
  } catch (error) {
    if (!(error instanceof ChangeRefused)) throw error;
  }
}
