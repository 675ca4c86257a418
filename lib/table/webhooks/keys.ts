import { key } from '../keys.ts';

/** The partition of all followers, for the function that follows the table's changes. */
export const followersPartition = 'FOLLOWERS';

/** A webhook. One that is made again under the id of another has none of its deliveries. */
export interface MadeWebhook {
  readonly id: string;
  readonly madeAt: string;
}

const deliveriesOf = (workspaceId: string, { id, madeAt }: MadeWebhook): string =>
  `DELIVERIES#${workspaceId}#${id}#${madeAt}`;

/** The keys of webhooks beside their records, with the access patterns. */
export const webhookKeys = {
  /** E1: the deliveries of a webhook in order of time, and how its last attempts went */
  deliveries: deliveriesOf,
  delivery: (workspaceId: string, webhook: MadeWebhook, id: string) => key(deliveriesOf(workspaceId, webhook), id),
  webhookState: (workspaceId: string, webhook: MadeWebhook) => key(deliveriesOf(workspaceId, webhook), 'STATE'),

  /** E2: the number of webhooks of a workspace, and how far its events, and those of each replay, have become deliveries */
  followers: () => followersPartition,
  follower: (workspaceId: string) => key(followersPartition, workspaceId),
  replay: (workspaceId: string, webhookId: string, id: string) =>
    key(followersPartition, `${workspaceId}#${webhookId}#${id}`),
} as const;
