import type { Transport } from './transport.ts';

/** A stored record; its members are those of the workspace document. */
export interface StoredRecord {
  readonly id: string;
  readonly [member: string]: unknown;
}

export interface RecordPage {
  readonly data: readonly StoredRecord[];
  /** The cursor of the next page, or null. */
  readonly next: string | null;
}

/** A record with the version for `ifMatch`. */
export interface VersionedRecord {
  readonly record: StoredRecord;
  readonly etag: string;
}

export interface WriteOptions {
  readonly ifMatch?: string;
  /** Identifies this write, so that it can be retried safely. */
  readonly idempotencyKey?: string;
}

/** The kinds by their names in the client. */
const kinds = {
  menuCategories: 'menu-categories',
  menuProducts: 'menu-products',
  forms: 'forms',
  agents: 'agents',
  channels: 'channels',
  customers: 'customers',
} as const;

type Members = Readonly<Record<string, unknown>>;

/** The records of one kind. */
export class Records {
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, kind: string) {
    this.#transport = transport;
    this.#path = `/api/v1/manage/${kind}`;
  }

  async list(query: Members = {}): Promise<RecordPage> {
    const response = await this.#transport.send({ method: 'GET', path: this.#path, query, isRepeatable: true });
    return (await response.json()) as RecordPage;
  }

  get = (id: string): Promise<VersionedRecord> => this.#versioned('GET', this.#pathOf(id), undefined, {}, true);

  /** Without an `idempotencyKey` one is made, so that retries make one record. */
  create = (
    record: Members,
    { idempotencyKey = crypto.randomUUID() as string }: WriteOptions = {},
  ): Promise<VersionedRecord> => this.#versioned('POST', this.#path, record, { idempotencyKey }, true);

  /** Creates the record or replaces it as a whole. */
  replace = (id: string, record: Members, options: WriteOptions = {}): Promise<VersionedRecord> =>
    this.#versioned('PUT', this.#pathOf(id), record, options, options.idempotencyKey !== undefined);

  /** Changes what the merge patch names. */
  update = (id: string, patch: Members, options: WriteOptions = {}): Promise<VersionedRecord> =>
    this.#versioned('PATCH', this.#pathOf(id), patch, options, options.idempotencyKey !== undefined);

  async delete(id: string, { ifMatch }: Pick<WriteOptions, 'ifMatch'> = {}): Promise<void> {
    const headers = { 'if-match': ifMatch };
    await this.#transport.send({ method: 'DELETE', path: this.#pathOf(id), headers, isRepeatable: false });
  }

  #pathOf = (id: string): string => `${this.#path}/${encodeURIComponent(id)}`;

  async #versioned(
    method: string,
    path: string,
    json: Members | undefined,
    { ifMatch, idempotencyKey }: WriteOptions,
    isRepeatable: boolean,
  ): Promise<VersionedRecord> {
    const headers = { 'if-match': ifMatch, 'idempotency-key': idempotencyKey };
    const request = { method, path, headers, isRepeatable, ...(json !== undefined && { json }) };
    const response = await this.#transport.send(request);
    return { record: (await response.json()) as StoredRecord, etag: response.headers.get('etag') ?? '' };
  }
}

/** The management endpoints, by kind. */
export type Management = { readonly [Name in keyof typeof kinds]: Records };

export const management = (transport: Transport): Management =>
  Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, new Records(transport, kind)]),
  ) as unknown as Management;
