import { type EventAuthor, eventsKeptMilliseconds, type WorkspaceEvent } from '#lib/domain/events/workspace-event.ts';
import type { StoredDelivery } from '#lib/domain/webhooks/delivery.ts';
import { dueKey } from '../due/keys.ts';
import { isStill } from '../dynamodb/conditions.ts';
import { newChangeId, timeOf } from '../log/change-log.ts';
import {
  type Item,
  type Key,
  Repository,
  recordOf,
  type Table,
  type TransactItem,
  type WorkspaceScope,
} from '../table.ts';
import { repeatTransaction, repeatWrite, tryChange } from '../writer/repeat-write.ts';
import { type MadeWebhook, webhookKeys } from './keys.ts';

const idPrefix = 'dlv_';
export const isDeliveryId = (id: string): boolean => /^dlv_[0-9a-z]{21}$/.test(id);

/** The due work of a delivery. */
export interface AttemptWork extends WorkspaceScope {
  readonly webhookId: string;
  readonly madeAt: string;
  readonly deliveryId: string;
}

/** The deliveries of one webhook, kept for 30 days. Access pattern E1. */
export class Deliveries extends Repository {
  readonly #webhook: MadeWebhook;

  constructor(table: Table, scope: WorkspaceScope, { id, madeAt }: MadeWebhook) {
    super(table, scope);
    this.#webhook = { id, madeAt };
  }

  async find(id: string): Promise<StoredDelivery | undefined> {
    const item = isDeliveryId(id) ? await this.table.get(this.#key(id)) : undefined;
    return item && isKept(item) ? recordOf<StoredDelivery>(item) : undefined;
  }

  /** Newest first. @param after the id of a delivery: those before it @param count the number that is needed */
  async *newestFirst(after: string | undefined, count: number): AsyncGenerator<StoredDelivery> {
    const range = {
      pk: webhookKeys.deliveries(this.workspaceId, this.#webhook),
      from: idPrefix,
      to: after ?? `${idPrefix}~`,
    };
    for await (const item of this.table.query({ ...range, descending: true, perPage: count + 1 })) {
      if (item.sk !== after && isKept(item)) yield recordOf<StoredDelivery>(item);
    }
  }

  /** A new delivery, which is due now, and its writes. */
  made(event: Pick<WorkspaceEvent, 'id' | 'type'>, test?: WorkspaceEvent) {
    const changeId = newChangeId();
    const nextAt = new Date(timeOf(changeId)).toISOString();
    const delivery: StoredDelivery = {
      id: `${idPrefix}${changeId}`,
      eventId: event.id,
      type: event.type,
      status: 'pending',
      attempts: [],
      nextAt,
      made: 0,
      ...(test && { test }),
    };
    const writes: TransactItem[] = [{ Put: { Item: this.#item(delivery) } }, this.#due(delivery.id, nextAt)];
    return { delivery, writes };
  }

  /**
   * Changes a delivery, and makes it due at another time if `due` is true.
   * @returns the delivery after the change; undefined if it is not there
   * @throws Unavailable
   */
  change(
    id: string,
    decide: (stored: StoredDelivery) => StoredDelivery,
    { isDue = false } = {},
  ): Promise<StoredDelivery | undefined> {
    return repeatWrite(this.table, {
      prepare: async () => {
        const before = await new Deliveries(this.table.uncached(), this, this.#webhook).find(id);
        return before && { before, after: decide(before) };
      },
      write: async (change) => {
        if (!change) return undefined;
        const { before, after } = change;
        const stored = { Put: { Item: this.#item(after), ...isStill('record', JSON.stringify(before)) } };
        const due = isDue && after.nextAt !== null ? [this.#due(id, after.nextAt)] : [];
        const left =
          isDue && before.nextAt !== null && before.nextAt !== after.nextAt ? [this.#left(id, before.nextAt)] : [];
        return (await tryChange(this.table, { stored: [stored, ...left, ...due] })) ?? after;
      },
    });
  }

  #key = (id: string): Key => webhookKeys.delivery(this.workspaceId, this.#webhook, id);

  #item(delivery: StoredDelivery): Item {
    const at = timeOf(delivery.id.slice(idPrefix.length));
    const ttl = Math.ceil((at + eventsKeptMilliseconds) / 1_000);
    return { ...this.#key(delivery.id), record: JSON.stringify(delivery), ttl };
  }

  #dueKey = (id: string, at: string): Key =>
    dueKey({ type: 'attempt', group: attemptGroup(this, this.#webhook.id), id, dueAt: Date.parse(at) });

  #due(deliveryId: string, at: string): TransactItem {
    const { id: webhookId, madeAt } = this.#webhook;
    const work: AttemptWork = { workspaceId: this.workspaceId, webhookId, madeAt, deliveryId };
    return { Put: { Item: { ...this.#dueKey(deliveryId, at), ...work } } };
  }

  #left = (id: string, at: string): TransactItem => ({ Delete: { Key: this.#dueKey(id, at) } });
}

/** Makes a test due, which is in no feed. */
export async function newTestDelivery(
  table: Table,
  scope: WorkspaceScope,
  webhook: MadeWebhook,
  author: EventAuthor,
): Promise<StoredDelivery> {
  const changeId = newChangeId();
  const event: WorkspaceEvent = {
    id: `evt_${changeId}`,
    type: 'webhook.test',
    at: new Date(timeOf(changeId)).toISOString(),
    kind: 'webhooks',
    recordId: webhook.id,
    changed: [],
    ...author,
  };
  const { delivery, writes } = new Deliveries(table, scope, webhook).made(event, event);
  await repeatTransaction(table, { delivery: writes });
  return delivery;
}

/** Attempts to one webhook are at the expense of no other. */
export const attemptGroup = ({ workspaceId }: WorkspaceScope, webhookId: string): string =>
  `${workspaceId}/${webhookId}`;

/** The engine may remove an item days after its time. */
const isKept = ({ ttl }: Item): boolean => Number(ttl) * 1_000 > Date.now();
