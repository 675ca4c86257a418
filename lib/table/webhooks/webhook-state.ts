import { setting } from '../dynamodb/conditions.ts';
import type { Table, WorkspaceScope } from '../table.ts';
import { type MadeWebhook, webhookKeys } from './keys.ts';

/** How the last attempts of a webhook went. Times are in milliseconds since 1970. */
export interface WebhookState {
  /** The attempts since the last success, all failed, and the first of them. */
  readonly failures?: number;
  readonly failingSince?: number;
  /** The receiver asks to send nothing before. */
  readonly heldUntil?: number;
  /** It has answered slowly, so until then only the schedule makes attempts. */
  readonly slowUntil?: number;
}

export async function webhookState(
  table: Table,
  { workspaceId }: WorkspaceScope,
  webhook: MadeWebhook,
): Promise<WebhookState> {
  return ((await table.get(webhookKeys.webhookState(workspaceId, webhook))) ?? {}) as WebhookState;
}

/**
 * Counts a failed attempt. What another attempt has found meanwhile, such as a pause, stays.
 * @returns the state after it
 */
export async function noteFailure(
  table: Table,
  { workspaceId }: WorkspaceScope,
  webhook: MadeWebhook,
  { failedAt, ...found }: { readonly failedAt: number } & Pick<WebhookState, 'heldUntil' | 'slowUntil'>,
): Promise<WebhookState> {
  const times = Object.entries(found).filter(([, time]) => time !== undefined);
  const state = await table.update(webhookKeys.webhookState(workspaceId, webhook), {
    UpdateExpression: [
      'SET #failingSince = if_not_exists(#failingSince, :failedAt)',
      ...times.map(([name]) => `, ${name} = :${name}`),
      ' ADD #failures :one',
    ].join(''),
    ExpressionAttributeValues: {
      ':failedAt': failedAt,
      ':one': 1,
      ...Object.fromEntries(times.map(([name, time]) => [`:${name}`, time])),
    },
  });
  return state as WebhookState;
}

/** Forgets failures, after a success, or when they have disabled the webhook. @param slowUntil of a slow success */
export async function forgetFailures(
  table: Table,
  { workspaceId }: WorkspaceScope,
  webhook: MadeWebhook,
  slowUntil?: number,
): Promise<void> {
  const forgotten = { failures: undefined, failingSince: undefined, ...(slowUntil !== undefined && { slowUntil }) };
  await table.update(webhookKeys.webhookState(workspaceId, webhook), setting(forgotten));
}
