import type { ErrorDetail } from './api-error.ts';
import {
  type Members,
  type PageQuery,
  type RecordPage,
  Records,
  root,
  type StoredRecord,
  type VersionedRecord,
} from './records.ts';
import { Calls, segment, type Transport, type WriteOptions } from './transport.ts';
import type {
  ApiKey,
  AuditEvent,
  DeletedRecord,
  DeliveriesPage,
  DeliveriesParameters,
  Delivery,
  IssuedKey,
  IssuedWebhook,
  ListEventsParameters,
  ListRecordsParameters,
  ManagedRecords,
  Member,
  NewApiKey,
  RecordVersion,
  WebhookReplay,
} from './types.ts';

/** One change in a batch. `record` is the whole record or, for PATCH, the merge patch. */
export interface RecordChange {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The name in addresses, e.g. `cms-entries`. */
  readonly kind: ManagedRecords[keyof ManagedRecords]['path'];
  /** The id; for an entry `modelId/id`. */
  readonly id?: string;
  readonly ifMatch?: string;
  readonly record?: Members;
}

/** The result of a change. `error` is the body that a single call would get. */
export interface ChangeOutcome {
  readonly status: number;
  readonly id?: string;
  readonly etag?: string;
  readonly error?: { readonly message: string; readonly code: string; readonly errors?: readonly ErrorDetail[] };
}

type CustomerTypes = ManagedRecords['customers'];

export class Customers extends Records<CustomerTypes['record'], CustomerTypes['input'], CustomerTypes['query']> {
  /**
   * Deletes a customer with its conversations, their messages and files.
   * @param responses also the form responses with the e-mail address of the customer
   */
  async erase(
    id: string,
    { responses = false, ifMatch }: { readonly responses?: boolean } & Pick<WriteOptions, 'ifMatch'> = {},
  ): Promise<void> {
    const query = { erase: true, ...(responses && { responses }) };
    await this.transport.send({ method: 'DELETE', path: `${root}/customers/${segment(id)}`, query, ifMatch });
  }
}

type WebhookTypes = ManagedRecords['webhooks'];

/** Webhooks. The answer to `create` has the secret, which is shown only once; the answer to a retry may lack it. */
export class Webhooks extends Records<
  WebhookTypes['record'],
  WebhookTypes['input'],
  WebhookTypes['query'],
  IssuedWebhook
> {
  /**
   * Gives a webhook a new secret, which is shown only once.
   * @param graceSeconds how long the former secret signs, too, at most seven days
   */
  rotate(id: string, graceSeconds = 0, options?: Omit<WriteOptions, 'ifMatch'>): Promise<IssuedWebhook> {
    const path = `${root}/webhooks/${segment(id)}/rotate`;
    return this.transport.json({ method: 'POST', path, json: { graceSeconds }, ...options });
  }

  /** The deliveries of a webhook, newest first. */
  deliveries(id: string, query: DeliveriesParameters = {}): Promise<DeliveriesPage> {
    return this.transport.json({ method: 'GET', path: `${root}/webhooks/${segment(id)}/deliveries`, query });
  }

  /** Sends a delivery at once, whatever its status. */
  retry(id: string, deliveryId: string): Promise<Delivery> {
    const path = `${root}/webhooks/${segment(id)}/deliveries/${segment(deliveryId)}/retry`;
    return this.transport.json({ method: 'POST', path });
  }

  /** Sends `webhook.test` to this webhook, once. */
  test(id: string): Promise<Delivery> {
    return this.transport.json({ method: 'POST', path: `${root}/webhooks/${segment(id)}/test` });
  }

  /** Sends the events of a time again. @returns how many */
  replay(id: string, what: WebhookReplay): Promise<{ readonly events: number }> {
    return this.transport.json({ method: 'POST', path: `${root}/webhooks/${segment(id)}/replay`, json: what });
  }
}

/** The management endpoints, by kind: `menuProducts` is `menu-products` in addresses. */
export type Management = {
  readonly [Name in keyof ManagedRecords]: Name extends 'webhooks'
    ? Webhooks
    : Name extends 'customers'
      ? Customers
      : Records<ManagedRecords[Name]['record'], ManagedRecords[Name]['input'], ManagedRecords[Name]['query']>;
} & {
  /** The records of a kind by its name in addresses, e.g. `menu-products`. */
  readonly records: (kind: string) => Records;
  /** Makes up to 100 independent changes. @returns their outcomes, in the same order */
  readonly changes: (
    changes: readonly RecordChange[],
    options?: Pick<WriteOptions, 'keepalive'>,
  ) => Promise<readonly ChangeOutcome[]>;
  /** The deleted records that can be restored, newest first. A page may be short and still have a `next`. */
  readonly deleted: (query?: PageQuery & { readonly kind?: string | undefined }) => Promise<RecordPage<DeletedRecord>>;
  /** The versions of the settings of the workspace. */
  readonly workspace: {
    readonly versions: (query?: PageQuery) => Promise<RecordPage<RecordVersion>>;
    readonly version: (version: string) => Promise<StoredRecord>;
    readonly restore: (version: string, options?: WriteOptions) => Promise<VersionedRecord>;
  };
};

export const management = (transport: Transport): Management => {
  const records = (kind: string) => new Records(transport, kind);
  const changes: Management['changes'] = async (list, options) => {
    const request = { method: 'POST', path: `${root}/changes`, json: { changes: list }, ...options };
    return (await transport.json<{ readonly results: ChangeOutcome[] }>(request)).results;
  };
  const deleted: Management['deleted'] = (query = {}) => transport.get(`${root}/deleted`, { ...query });
  // The service knows the kinds, so that the client needs no list of them.
  const own = {
    ...{ records, changes, deleted, workspace: workspaceHistory(transport) },
    ...{ customers: new Customers(transport, 'customers'), webhooks: new Webhooks(transport, 'webhooks') },
  };
  return new Proxy(own as Management, {
    get: (_, name) =>
      typeof name === 'symbol' || Object.hasOwn(own, name) ? own[name as 'records'] : records(pathOf(name)),
  });
};

const workspaceHistory = (transport: Transport): Management['workspace'] => {
  const path = `${root}/workspace`;
  return {
    versions: (query = {}) => transport.get(`${path}/versions`, { ...query }),
    version: (id) => transport.json({ method: 'GET', path: `${path}/versions/${segment(id)}` }),
    restore: async (version, options = {}) => {
      const request = { method: 'POST', path: `${path}/restore`, json: { version }, ...options };
      const { value, etag } = await transport.versioned<StoredRecord>(request);
      return { record: value, etag };
    },
  };
};

/** `menu-products` of `menuProducts` */
const pathOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const recordOf = <Stored>({ record }: VersionedRecord<Stored>): Stored => record;

type NewMember = Partial<Member> & Pick<Member, 'name'>;

/** API keys, members and audit events of the workspace. */
export class AccessCalls extends Calls {
  readonly #keys = new Records<ApiKey, NewApiKey, ListRecordsParameters, IssuedKey>(this.transport, 'api-keys');
  readonly #members = new Records<Member, NewMember, ListRecordsParameters>(this.transport, 'members');
  readonly #events = new Records<AuditEvent, never, ListEventsParameters>(this.transport, 'audit-events');

  listKeys = (query?: ListRecordsParameters): Promise<RecordPage<ApiKey>> => this.#keys.list(query);
  getKey = (id: string): Promise<ApiKey> => this.#keys.get(id).then(recordOf);

  /** @returns the key with its secret, which is shown only once; the answer to a retry may lack it */
  createKey = (key: NewApiKey, options?: WriteOptions): Promise<IssuedKey> =>
    this.#keys.create(key, options).then(recordOf);

  updateKey = (
    id: string,
    change: Partial<Omit<NewApiKey, 'id' | 'memberId'>>,
    options?: WriteOptions,
  ): Promise<ApiKey> => this.#keys.update(id, change, options).then(recordOf);

  /**
   * Gives a key a new secret, which is shown only once.
   * @param graceSeconds how long the former secret stays valid, at most seven days
   */
  async rotateKey(id: string, graceSeconds = 0, options?: Omit<WriteOptions, 'ifMatch'>): Promise<IssuedKey> {
    const path = `${root}/api-keys/${segment(id)}/rotate`;
    return this.transport.json({ method: 'POST', path, json: { graceSeconds }, ...options });
  }

  listMembers = (query?: ListRecordsParameters): Promise<RecordPage<Member>> => this.#members.list(query);
  getMember = (id: string): Promise<Member> => this.#members.get(id).then(recordOf);
  createMember = (member: NewMember, options?: WriteOptions): Promise<Member> =>
    this.#members.create(member, options).then(recordOf);

  replaceMember = (id: string, member: NewMember, options?: WriteOptions): Promise<Member> =>
    this.#members.replace(id, member, options).then(recordOf);

  updateMember = (id: string, change: Partial<Omit<Member, 'id'>>, options?: WriteOptions): Promise<Member> =>
    this.#members.update(id, change, options).then(recordOf);

  /** Also deletes the keys of the member. */
  deleteMember = (id: string, options?: WriteOptions): Promise<void> => this.#members.delete(id, options);

  /** Makes the identity provider send the member an invitation, also repeatedly. */
  async inviteMember(id: string): Promise<void> {
    await this.transport.send({ method: 'POST', path: `${root}/members/${segment(id)}/invite` });
  }

  /** Newest first. A page may be empty and still have a `next`. */
  listEvents = (query?: ListEventsParameters): Promise<RecordPage<AuditEvent>> => this.#events.list(query);
  getEvent = (id: string): Promise<AuditEvent> => this.#events.get(id).then(recordOf);
}
