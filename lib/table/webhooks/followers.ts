import { randomBytes, randomUUID } from 'node:crypto';
import { positionAt } from '#lib/domain/events/position.ts';
import { isMade } from '../dynamodb/is-made.ts';
import type { Item, Table, TransactItem, WorkspaceScope } from '../table.ts';
import { repeatTransaction } from '../writer/repeat-write.ts';
import { type MadeWebhook, webhookKeys } from './keys.ts';

/** How far the events of a workspace have become deliveries. */
export interface Follower extends Item {
  readonly workspaceId: string;
  readonly position: string;
  /** Another one after each change. */
  readonly revision: string;
  /** The number of webhooks; absent of a replay. */
  readonly count?: number;
  /** Of a replay: which events go to which webhook. */
  readonly replay?: Replay;
}

/** Events that are sent again. */
export interface Replay {
  readonly webhook: MadeWebhook;
  /** In milliseconds since 1970, exclusive. */
  readonly until: number;
  readonly types?: readonly string[];
}

/** Begins a replay. It is a transaction, so that no late try begins it again. @param since milliseconds since 1970, inclusive */
export async function beginReplay(
  table: Table,
  { workspaceId }: WorkspaceScope,
  { since, ...replay }: Replay & { readonly since: number },
): Promise<void> {
  const key = webhookKeys.replay(workspaceId, replay.webhook.id, randomBytes(9).toString('hex'));
  const Item = { ...key, workspaceId, position: positionAt(since), revision: randomUUID(), replay };
  await repeatTransaction(table, { replay: { Put: { Item } } });
}

/** Those of all workspaces. Access pattern E2. */
export const allFollowers = (table: Table): Promise<Follower[]> =>
  table.all({ pk: webhookKeys.followers() }) as Promise<Follower[]>;

/** That of a workspace, without its replays. */
export const followerOf = (table: Table, workspaceId: string): Promise<Follower | undefined> =>
  table.get(webhookKeys.follower(workspaceId)) as Promise<Follower | undefined>;

/** What becomes of the next events of a follower. */
export interface FollowedStep {
  /** At most 99. */
  readonly writes: readonly TransactItem[];
  /** Where it goes on; undefined if nothing is left to follow, and the follower is removed. */
  readonly position: string | undefined;
}

/** The stored follower, to read its events. */
export const findFollower = async (table: Table, { pk, sk }: Follower): Promise<Follower | undefined> =>
  (await table.get({ pk, sk })) as Follower | undefined;

/**
 * Moves a follower in one transaction with what becomes of its events, so that each event counts once.
 * @returns the moved follower; undefined if it is removed, or if another process has moved it
 * @throws Unavailable
 */
export async function moveFollower(
  table: Table,
  before: Follower,
  { writes, position }: FollowedStep,
): Promise<Follower | undefined> {
  const { pk, sk } = before;
  const isSame = {
    ConditionExpression: 'revision = :before',
    ExpressionAttributeValues: { ':before': before.revision },
  };
  const after = position === undefined ? undefined : { ...before, position, revision: randomUUID() };
  const moved: TransactItem = after ? { Put: { Item: after, ...isSame } } : { Delete: { Key: { pk, sk }, ...isSame } };
  return (await isMade(repeatTransaction(table, { moved, deliveries: [...writes] }))) ? after : undefined;
}
