import type { ErrorDetail } from './api-error.ts';
import type { Transport } from './transport.ts';
import type { ManagedRecords } from './types.ts';

/** A stored record with the properties of the workspace document. */
export interface StoredRecord {
  readonly id: string;
  readonly [member: string]: unknown;
}

export interface RecordPage<Stored = StoredRecord> {
  readonly data: readonly Stored[];
  /** The cursor of the next page, or null. */
  readonly next: string | null;
}

/** A record with the version for `ifMatch`. */
export interface VersionedRecord<Stored = StoredRecord> {
  readonly record: Stored;
  readonly etag: string;
}

export interface WriteOptions {
  readonly ifMatch?: string;
  /** Identifies this write, so that it can be retried safely. */
  readonly idempotencyKey?: string;
}

type Members = Readonly<Record<string, unknown>>;

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

/** The records of one kind; the id of an entry is `modelId/id`. */
export class Records<Stored = StoredRecord, Input = Members, Query = Members> {
  readonly #transport: Transport;
  readonly #path: string;
  readonly #segment: (text: string) => string;

  /** @param segment writes an id as a segment of a path */
  constructor(transport: Transport, kind: string, segment: (text: string) => string) {
    this.#transport = transport;
    this.#segment = segment;
    this.#path = `/api/v1/manage/${kind}`;
  }

  async list(query?: Query): Promise<RecordPage<Stored>> {
    const request = { method: 'GET', path: this.#path, query: { ...query }, isRepeatable: true };
    return (await (await this.#transport.send(request)).json()) as RecordPage<Stored>;
  }

  get = (id: string): Promise<VersionedRecord<Stored>> => this.#versioned('GET', this.#pathOf(id), undefined, {}, true);

  /** By default uses a random `idempotencyKey`, so that retries make one record. */
  create(
    record: Input,
    { idempotencyKey = crypto.randomUUID() as string }: WriteOptions = {},
  ): Promise<VersionedRecord<Stored>> {
    return this.#versioned('POST', this.#path, record, { idempotencyKey }, true);
  }

  /** Creates the record or replaces it as a whole. */
  replace(id: string, record: Input, options: WriteOptions = {}): Promise<VersionedRecord<Stored>> {
    return this.#versioned('PUT', this.#pathOf(id), record, options, options.idempotencyKey !== undefined);
  }

  /** Applies a merge patch. */
  update = (id: string, patch: Members, options: WriteOptions = {}): Promise<VersionedRecord<Stored>> =>
    this.#versioned('PATCH', this.#pathOf(id), patch, options, options.idempotencyKey !== undefined);

  async delete(id: string, { ifMatch }: Pick<WriteOptions, 'ifMatch'> = {}): Promise<void> {
    const headers = { 'if-match': ifMatch };
    await this.#transport.send({ method: 'DELETE', path: this.#pathOf(id), headers, isRepeatable: false });
  }

  #pathOf = (id: string): string => `${this.#path}/${id.split('/').map(this.#segment).join('/')}`;

  async #versioned(
    method: string,
    path: string,
    json: unknown,
    { ifMatch, idempotencyKey }: WriteOptions,
    isRepeatable: boolean,
  ): Promise<VersionedRecord<Stored>> {
    const headers = { 'if-match': ifMatch, 'idempotency-key': idempotencyKey };
    const request = { method, path, headers, isRepeatable, ...(json !== undefined && { json }) };
    const response = await this.#transport.send(request);
    return { record: (await response.json()) as Stored, etag: response.headers.get('etag') ?? '' };
  }
}

/** The management endpoints, by kind: `menuProducts` is `menu-products` in addresses. */
export type Management = {
  readonly [Name in keyof ManagedRecords]: Records<
    ManagedRecords[Name]['record'],
    ManagedRecords[Name]['input'],
    ManagedRecords[Name]['query']
  >;
} & {
  /** The records of a kind by its name in addresses, e.g. `menu-products`. */
  readonly records: (kind: string) => Records;
  /** Makes up to 100 independent changes. @returns their outcomes, in the same order */
  readonly changes: (changes: readonly RecordChange[]) => Promise<readonly ChangeOutcome[]>;
};

export const management = (transport: Transport, segment: (text: string) => string): Management => {
  const records = (kind: string) => new Records(transport, kind, segment);
  const changes: Management['changes'] = async (list) => {
    const request = { method: 'POST', path: '/api/v1/manage/changes', json: { changes: list }, isRepeatable: false };
    const { results } = (await (await transport.send(request)).json()) as { readonly results: ChangeOutcome[] };
    return results;
  };
  // The service knows the kinds, so that the client needs no list of them.
  return new Proxy({ records, changes } as Management, {
    get: (own, name) =>
      typeof name === 'symbol' || Object.hasOwn(own, name) ? own[name as 'records'] : records(pathOf(name)),
  });
};

/** `menu-products` of `menuProducts` */
const pathOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
