import type { Principal } from '#lib/domain/access/principal.ts';
import { changedSeenBy, type WorkspaceEvent } from '#lib/domain/events/workspace-event.ts';
import {
  attemptsListed,
  type DeliveryAttempt,
  type DeliveryError,
  type StoredDelivery,
} from '#lib/domain/webhooks/delivery.ts';
import type { StoredWebhook } from '#lib/domain/webhooks/webhook.ts';
import type { Attempt, DueWork, Outcome } from '#lib/due/due-worker.ts';
import { logWork } from '#lib/http/work-log.ts';
import { typeOf } from '#lib/kinds/visible-events.ts';
import { findCallerOfKey } from '#lib/table/access/api-keys.ts';
import { Feed } from '#lib/table/events/feed.ts';
import { findRecord, type Table, type WorkspaceScope } from '#lib/table/table.ts';
import { type AttemptWork, Deliveries } from '#lib/table/webhooks/deliveries.ts';
import { forgetFailures, noteFailure, type WebhookState, webhookState } from '#lib/table/webhooks/webhook-state.ts';
import { webhookTargets } from './addresses.ts';
import { disableWebhook } from './disable-webhook.ts';
import { selectionOf } from './follow.ts';
import { recordOfEvent } from './record-of-event.ts';
import { requestBody } from './request-body.ts';
import { type SendResult, sendWebhook } from './send.ts';
import { secretsOf, signatureHeaders } from './signature.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** The waits after failed attempts, each with up to a fifth more. After the last one, a delivery has failed. */
const pauses = [5 * second, 5 * minute, ...[0.5, 2, 5, 10, 14, 20, 24].map((hours) => hours * hour)];
/** A webhook with so many attempts that have all failed, for so long, is disabled. */
const failuresMax = 10;
const failingMilliseconds = 3 * day;
/** A receiver that takes longer is slow for a while: the stream leaves its attempts to the schedule. */
const slowMilliseconds = 5 * second;
const slowFor = 10 * minute;
const sendMilliseconds = 15 * second;
/** The time for the reads before a request is sent. */
const readMilliseconds = 5 * second;

const targets = webhookTargets();
type Result = Omit<SendResult, 'error'> & { readonly error: DeliveryError | null };
const keyRefused: Result = { httpStatus: null, error: 'key_refused', milliseconds: 0 };

/** Sends the events of a workspace to its webhooks (lib/spec/additions.md section 5, "Attempts"). */
export const webhookAttempt: DueWork<AttemptWork> = {
  type: 'attempt',
  name: 'The attempt of a webhook',
  lanes: 40,
  groupLanes: 4,
  neededMilliseconds: sendMilliseconds + readMilliseconds,

  /** A failure of ours is not counted. */
  pauseAfter: () => minute,

  async handle({ workspaceId, webhookId, madeAt, deliveryId }, attempt) {
    const scope = { workspaceId };
    const { table } = attempt;
    const made = { id: webhookId, madeAt };
    const [webhook, state, delivery] = await Promise.all([
      findRecord<StoredWebhook>(table, scope, 'webhook', webhookId),
      webhookState(table, scope, made),
      new Deliveries(table, scope, made).find(deliveryId),
    ]);
    // It may have been made again under its id.
    if (webhook?.madeAt !== madeAt || !delivery || delivery.status === 'delivered' || delivery.status === 'failed')
      return 'done';
    const work = { scope, webhook, delivery };
    if (!delivery.test && !webhook.enabled) return parked(table, work);
    const waiting = delivery.test || delivery.isForced ? undefined : await wait(work, state, attempt);
    return waiting ?? send(work, state, attempt);
  },
};

interface Work {
  readonly scope: WorkspaceScope;
  readonly webhook: StoredWebhook;
  readonly delivery: StoredDelivery;
}

/** Whether an attempt has to wait, although it is due. */
async function wait(
  { scope, webhook, delivery }: Work,
  { heldUntil = 0, slowUntil = 0 }: WebhookState,
  { table, isWoken }: Attempt,
): Promise<Outcome | undefined> {
  const now = Date.now();
  if (heldUntil > now) {
    const nextAt = new Date(heldUntil).toISOString();
    await new Deliveries(table, scope, webhook).change(delivery.id, (stored) => ({ ...stored, nextAt }));
    return { dueAt: heldUntil };
  }
  // The stream also announces what was put off.
  const isEarly = delivery.made > 0 && Date.parse(delivery.nextAt ?? '') > now;
  return isWoken && (isEarly || slowUntil > now) ? 'later' : undefined;
}

async function parked(table: Table, { scope, webhook, delivery }: Work): Promise<Outcome> {
  const park = (stored: StoredDelivery): StoredDelivery => ({ ...stored, status: 'parked', nextAt: null });
  await new Deliveries(table, scope, webhook).change(delivery.id, park);
  return 'parked';
}

async function send(work: Work, state: WebhookState, { table, signal }: Attempt): Promise<Outcome> {
  const { scope, webhook, delivery } = work;
  const startedAt = Date.now();
  const request = await requestOf(table, work, startedAt);
  const result: Result = request
    ? await sendWebhook({ url: webhook.url, ...request, allows: targets.allows, signal })
    : keyRefused;
  const { httpStatus, error, milliseconds } = result;
  const made: DeliveryAttempt = { at: new Date(startedAt).toISOString(), milliseconds, httpStatus, error };
  const records = table.withTimeout(readMilliseconds);
  const deliveries = new Deliveries(records, scope, webhook);
  const about = { ...scope, webhookId: webhook.id, deliveryId: delivery.id, httpStatus, error, milliseconds };
  if (error === null) {
    await deliveries.change(delivery.id, (stored) => ended(stored, made, 'delivered'));
    const slowUntil = slowUntilAfter(milliseconds);
    if (state.failures !== undefined || slowUntil !== undefined) {
      await forgetFailures(records, scope, webhook, slowUntil);
    }
    logWork('info', 'A webhook was delivered.', about, { route: 'webhooks-deliver', metrics: { Webhooks: 1 } });
    return 'done';
  }
  logWork('warn', 'An attempt of a webhook has failed.', about);
  if (delivery.test) {
    await deliveries.change(delivery.id, (stored) => ended(stored, made, 'failed'));
    return 'done';
  }
  const { heldUntil, reason } = await noteOutcome(records, work, result, startedAt);
  if (reason) {
    await disableWebhook(records, scope, webhook.id, reason);
    // Once it is enabled, it begins anew.
    await forgetFailures(records, scope, webhook);
  }
  const pause = pauses[delivery.made];
  const dueAt = pause === undefined ? undefined : Math.max(heldUntil, Date.now() + pause * (1 + Math.random() / 5));
  const stored = await deliveries.change(delivery.id, (before) => {
    if (reason) return { ...ended(before, made, 'parked'), nextAt: null };
    if (dueAt === undefined) return ended(before, made, 'failed');
    return { ...ended(before, made, 'pending'), nextAt: new Date(dueAt).toISOString() };
  });
  if (stored?.status === 'parked') return 'parked';
  return dueAt === undefined ? 'done' : { dueAt };
}

/** Counts a failed attempt. @returns until when nothing is sent, and why the webhook has to be disabled */
async function noteOutcome(
  table: Table,
  { scope, webhook }: Work,
  { httpStatus, milliseconds, retryAfterSeconds }: Result,
  failedAt: number,
): Promise<{ readonly heldUntil: number; readonly reason?: 'gone' | 'failing' }> {
  const now = Date.now();
  const heldUntil = retryAfterSeconds === undefined ? undefined : now + retryAfterSeconds * second;
  const slowUntil = slowUntilAfter(milliseconds);
  const found = { failedAt, heldUntil, slowUntil };
  const { failures = 0, failingSince = failedAt } = await noteFailure(table, scope, webhook, found);
  const held = { heldUntil: heldUntil ?? 0 };
  if (httpStatus === 410) return { ...held, reason: 'gone' };
  const isFailing = failures >= failuresMax && now - failingSince >= failingMilliseconds;
  return isFailing ? { ...held, reason: 'failing' } : held;
}

const slowUntilAfter = (milliseconds: number): number | undefined =>
  milliseconds > slowMilliseconds ? Date.now() + slowFor : undefined;

function ended(
  { attempts, made, isForced: _, ...stored }: StoredDelivery,
  attempt: DeliveryAttempt,
  status: StoredDelivery['status'],
): StoredDelivery {
  return { ...stored, attempts: [...attempts, attempt].slice(-attemptsListed), made: made + 1, status, nextAt: null };
}

/** The signed request; undefined if the key of the webhook may not read the event any more. */
async function requestOf(table: Table, { scope, webhook, delivery }: Work, now: number) {
  const { test } = delivery;
  const { principal } = (await findCallerOfKey(table, { ...scope, keyId: webhook.apiKeyId })) ?? {};
  const event = test ?? (await eventToSend(table, scope, delivery.eventId, principal));
  if (!principal || !event) return undefined;
  const body = requestBody(event, scope.workspaceId, await recordOfEvent(table, principal, event));
  const secrets = await secretsOf(scope.workspaceId, webhook, now);
  const timestamp = Math.floor(now / second);
  return { body, headers: signatureHeaders({ id: delivery.eventId, timestamp, body, secrets }) };
}

async function eventToSend(
  table: Table,
  scope: WorkspaceScope,
  eventId: string,
  principal: Principal | undefined,
): Promise<WorkspaceEvent | undefined> {
  const found = await new Feed(table, scope).find(eventId);
  const type = found && typeOf(found);
  if (!type || !principal || !selectionOf({ types: [type] }, principal)(found, type)) return undefined;
  const { id, at, recordKind: kind, recordId, actor, requestId } = found;
  return { id, type, at, kind, recordId, changed: changedSeenBy(principal)(found), actor, requestId };
}
