import { key } from '../keys.ts';

/** The partition of all followers, for the function that follows the table's changes. */
export const followersPartition = 'FOLLOWERS';

const deliveriesOf = (workspaceId: string, webhookId: string): string => `DELIVERIES#${workspaceId}#${webhookId}`;

/** The keys of webhooks beside their records, with the access patterns. */
export const webhookKeys = {
  /** E1: the deliveries of a webhook in order of time, and how its last attempts went */
  deliveries: deliveriesOf,
  delivery: (workspaceId: string, webhookId: string, id: string) => key(deliveriesOf(workspaceId, webhookId), id),
  webhookState: (workspaceId: string, webhookId: string) => key(deliveriesOf(workspaceId, webhookId), 'STATE'),

  /** E2: the number of webhooks of a workspace, and how far its events, and those of each replay, have become deliveries */
  followers: () => followersPartition,
  follower: (workspaceId: string) => key(followersPartition, workspaceId),
  replay: (workspaceId: string, webhookId: string, id: string) =>
    key(followersPartition, `${workspaceId}#${webhookId}#${id}`),
} as const;
