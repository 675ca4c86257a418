import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';

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

const own = { '#failures': 'failures', '#failingSince': 'failingSince' };

export async function webhookState(table: Table, { workspaceId }: WorkspaceScope, id: string): Promise<WebhookState> {
  return ((await table.get(keys.webhookState(workspaceId, id))) ?? {}) as WebhookState;
}

/** Counts a failed attempt. @returns the state after it */
export async function noteFailure(
  table: Table,
  { workspaceId }: WorkspaceScope,
  id: string,
  { heldUntil = 0, slowUntil = 0, now = Date.now() },
): Promise<WebhookState> {
  const state = await table.update(keys.webhookState(workspaceId, id), {
    UpdateExpression:
      'SET #failingSince = if_not_exists(#failingSince, :now), heldUntil = :held, slowUntil = :slow ADD #failures :one',
    ExpressionAttributeNames: own,
    ExpressionAttributeValues: { ':now': now, ':held': heldUntil, ':slow': slowUntil, ':one': 1 },
  });
  return state as WebhookState;
}

/** Forgets failures, after a success or a change of the webhook. */
export async function forgetFailures(table: Table, { workspaceId }: WorkspaceScope, id: string): Promise<void> {
  await table.update(keys.webhookState(workspaceId, id), {
    UpdateExpression: 'REMOVE #failures, #failingSince, heldUntil, slowUntil',
    ExpressionAttributeNames: own,
  });
}
