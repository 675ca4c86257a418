import { type Member, memberAddress } from '#lib/domain/access/member.ts';
import { isInEffect } from '#lib/domain/access/membership.ts';
import type { Notification } from '#lib/domain/messaging/notification.ts';
import { pausesAfter, type StoredWebhook } from '#lib/domain/webhooks/webhook.ts';
import { newDatedId } from '#lib/table/dated-ids.ts';
import { eventWrite } from '#lib/table/events/event-writes.ts';
import { keys } from '#lib/table/keys.ts';
import { newMailJob } from '#lib/table/mail-jobs.ts';
import { newItem } from '#lib/table/stored-item.ts';
import { recordOf, type Table, type WorkspaceScope, type Writes } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import { applyChange, ChangeRefused } from '#lib/table/writer/apply-change.ts';
import type { AppliedChange } from '#lib/table/writer/change.ts';
import { recordRules } from '#lib/table/writer/record-rules.ts';

/** The service itself, where no request makes a change. */
const service = { type: 'system', id: null, name: 'Workspace API' } as const;
/** A transaction has at most 100 items. */
const recipientsMax = 50;

/**
 * Switches a webhook off, with an event, a notification and a mail to those who manage webhooks, all in one transaction.
 * One that is off already, or gone, stays as it is: so each happens once, whatever is killed.
 */
export async function disableWebhook(
  table: Table,
  scope: WorkspaceScope,
  id: string,
  reason: 'gone' | 'failing',
): Promise<void> {
  const [workspace, members] = await Promise.all([
    findWorkspace(table, scope.workspaceId),
    table.range({ pk: keys.records(scope.workspaceId, 'member') }),
  ]);
  const recipients = recipientsOf(members.map((item) => recordOf<Member>(item)));
  const decide = async ({ record }: { readonly record: object | undefined }) => {
    const webhook = record as StoredWebhook | undefined;
    if (!webhook?.enabled) throw new ChangeRefused('missing');
    const pauses = pausesAfter(webhook.pauses, false, createdAt);
    return { ...webhook, enabled: false, disabledReason: reason, pauses, updatedAt: undefined };
  };
  const disabled = { kind: 'webhooks', recordId: id, action: 'disabled', actor: service, requestId: null } as const;
  const createdAt = new Date().toISOString();
  const notification: Notification = {
    id: newDatedId('not_', new Date(createdAt)),
    type: 'webhook_disabled',
    webhookId: id,
    readAt: null,
    createdAt,
  };
  const additionalWrites = ({ after }: AppliedChange): Writes => ({
    event: eventWrite(scope, disabled),
    notification: { Put: { Item: newItem(scope.workspaceId, 'notification', notification) } },
    mails: recipients.map(({ address: recipient, language }) => {
      const about = { kind: 'webhook_disabled', webhookId: id, url: (after as StoredWebhook).url, reason } as const;
      const own = language ?? workspace?.defaultLanguage ?? 'en';
      return { Put: { Item: { ...newMailJob({ ...about, ...scope, recipient, language: own, createdAt }) } } };
    }),
  });
  try {
    await applyChange(recordRules, table, scope, { kind: 'webhook', id, decide }, { now: createdAt, additionalWrites });
  } catch (error) {
    if (!(error instanceof ChangeRefused)) throw error;
  }
}

/** The active members who may manage webhooks. A person has one mail. */
function recipientsOf(members: readonly Member[]) {
  const managers = members.filter(
    (member) => isInEffect(member) && member.permissions.includes('webhooks:webhook:manage'),
  );
  const found = managers.flatMap(({ email, language }) => {
    const address = memberAddress(email);
    return address === undefined ? [] : [[address, { address, language }] as const];
  });
  return [...new Map(found).values()].slice(0, recipientsMax);
}
