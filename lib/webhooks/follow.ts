import type { Principal } from '#lib/domain/access/principal.ts';
import type { WorkspaceEvent } from '#lib/domain/events/workspace-event.ts';
import { type StoredWebhook, type Webhook, wasEnabled } from '#lib/domain/webhooks/webhook.ts';
import { isSelected, typeOf, visibleTo } from '#lib/kinds/visible-events.ts';
import { findCallerOfKey } from '#lib/table/access/api-keys.ts';
import { discardParked, parkedWork } from '#lib/table/due/due-queue.ts';
import { type FedEvent, Feed } from '#lib/table/events/feed.ts';
import { keys } from '#lib/table/keys.ts';
import { recordOf, type Table, type TransactItem, type WorkspaceScope } from '#lib/table/table.ts';
import { type AttemptWork, attemptGroup, Deliveries } from '#lib/table/webhooks/deliveries.ts';
import {
  type FollowedStep,
  type Follower,
  findFollower,
  moveFollower,
  type Replay,
} from '#lib/table/webhooks/followers.ts';

/** A transaction has 100 items: one moves the follower, and a delivery takes two. */
const writesMax = 99;
/** An event that came late has a place up to this long behind its time. */
const lateMilliseconds = 2 * 60_000;

/**
 * Makes deliveries of the events that a follower has not passed, and makes parked attempts of enabled webhooks due.
 * @throws Unavailable
 */
export async function follow(
  table: Table,
  follower: Follower,
  { isTimeLeft, isSweep }: { readonly isTimeLeft: () => boolean; readonly isSweep: boolean },
): Promise<void> {
  let mayBeEnabled = isSweep;
  for (let isDone = false; !isDone && isTimeLeft(); ) {
    const reads = table.uncached();
    let current = await findFollower(reads, follower);
    if (!current) return;
    const page = await nextPage(reads, current);
    mayBeEnabled ||= page.hasWebhookEvent;
    isDone = page.isEnd;
    for (const step of page.steps) {
      if (!current || !isTimeLeft()) break;
      current = await moveFollower(table, current, step);
    }
    // Another process may have moved it. Then this one looks for what is left.
    if (!current) isDone = page.steps.at(-1)?.position === undefined;
  }
  if (mayBeEnabled && !follower.replay) await releaseParked(table, follower, isTimeLeft);
}

/** @returns also whether webhooks may have changed */
async function nextPage(reads: Table, follower: Follower) {
  const { workspaceId, replay, position, count = 0 } = follower;
  const scope = { workspaceId };
  const [targets, found] = await Promise.all([targetsOf(reads, scope, replay), new Feed(reads, scope).read(position)]);
  const steps = stepsOf(found.events, (event) => targets.flatMap((target) => deliveryOf(reads, scope, target, event)));
  const moves: FollowedStep[] =
    steps.length > 0 || found.next === position ? steps : [{ writes: [], position: found.next }];
  const isPast = replay !== undefined && timeOfLast(found.events) > replay.until + lateMilliseconds;
  const isEnd = found.isEnd || isPast;
  const isOver = replay ? isEnd : count <= 0;
  return {
    steps: isOver ? [...moves.slice(0, -1), { writes: moves.at(-1)?.writes ?? [], position: undefined }] : moves,
    isEnd,
    hasWebhookEvent: found.events.some(({ recordKind }) => recordKind === 'webhooks'),
  };
}

/** As few transactions as the deliveries of events fit into. */
function stepsOf(events: readonly FedEvent[], writesOf: (event: FedEvent) => TransactItem[]): FollowedStep[] {
  const steps: { writes: TransactItem[]; position: string }[] = [];
  for (const event of events) {
    const writes = writesOf(event);
    const last = steps.at(-1);
    if (last && last.writes.length + writes.length <= writesMax) {
      last.writes.push(...writes);
      last.position = event.position;
    } else steps.push({ writes, position: event.position });
  }
  return steps;
}

const timeOfLast = (events: readonly FedEvent[]): number => Date.parse(events.at(-1)?.at ?? '') || 0;

/** A webhook, and whether an event goes to it. */
interface Target {
  readonly webhook: StoredWebhook;
  readonly takes: (event: FedEvent, type: string) => boolean;
}

async function targetsOf(table: Table, scope: WorkspaceScope, replay: Replay | undefined): Promise<Target[]> {
  const isOf = ({ id, madeAt }: StoredWebhook) =>
    !replay || (id === replay.webhook.id && madeAt === replay.webhook.madeAt);
  const webhooks = (await webhooksOf(table, scope)).filter(isOf);
  return Promise.all(
    webhooks.map(async (webhook) => {
      const caller = await findCallerOfKey(table, { ...scope, keyId: webhook.apiKeyId });
      const isSelectedByWebhook = selectionOf(webhook, caller?.principal);
      const only = replay?.types && new Set(replay.types);
      const takes = (event: FedEvent, type: string) => {
        if (!isSelectedByWebhook(event, type)) return false;
        if (replay) return Date.parse(event.at) < replay.until && (!only || isSelected(type, only));
        // A new webhook gets later events only, and a disabled one none.
        const isOwn = event.recordKind === 'webhooks' && event.recordId === webhook.id && event.action === 'created';
        return event.at >= webhook.madeAt && wasEnabled(webhook, event.at) && !isOwn;
      };
      return { webhook, takes };
    }),
  );
}

export async function webhooksOf(table: Table, { workspaceId }: WorkspaceScope): Promise<StoredWebhook[]> {
  return (await table.range({ pk: keys.records(workspaceId, 'webhook') })).map(recordOf<StoredWebhook>);
}

/**
 * Whether a webhook gets an event: by its types, and by what its key may read. A key that is revoked is no reason to
 * leave an event out: its attempts fail, until the webhook has another key.
 */
export function selectionOf(
  webhook: Pick<Webhook, 'types'>,
  principal: Principal | undefined,
): (event: Omit<FedEvent, 'position'>, type: string) => boolean {
  const types = new Set(webhook.types);
  const isVisible = principal ? visibleTo(principal) : () => true;
  return (event, type) => isSelected(type, types) && isVisible(event);
}

function deliveryOf(table: Table, scope: WorkspaceScope, target: Target, event: FedEvent): TransactItem[] {
  const type = typeOf(event);
  if (!type || !target.takes(event, type)) return [];
  const named: Pick<WorkspaceEvent, 'id' | 'type'> = { id: event.id, type };
  return new Deliveries(table, scope, target.webhook).made(named).writes;
}

/** Makes the parked attempts of enabled webhooks due. Each step can be repeated. */
async function releaseParked(table: Table, scope: WorkspaceScope, isTimeLeft: () => boolean): Promise<void> {
  for (const { id, enabled } of await webhooksOf(table.uncached(), scope)) {
    if (!enabled) continue;
    for await (const parked of parkedWork(table, 'attempt', attemptGroup(scope, id))) {
      if (!isTimeLeft()) return;
      const { deliveryId, madeAt } = parked as unknown as AttemptWork;
      const nextAt = new Date().toISOString();
      await new Deliveries(table, scope, { id, madeAt }).change(
        deliveryId,
        (stored) => (stored.status === 'parked' ? { ...stored, status: 'pending', nextAt } : stored),
        { isDue: true },
      );
      await discardParked(table, parked);
    }
  }
}
