import { Calls, type ClientRequest, segment, type Transport, type WriteOptions } from './transport.ts';
import type { RecordVersion } from './types.ts';

/** The address of all management calls. */
export const root = '/api/v1/manage';

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

export interface PageQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** A record with the version for `ifMatch`. */
export interface VersionedRecord<Stored = StoredRecord> {
  readonly record: Stored;
  readonly etag: string;
}

export type Members = Readonly<Record<string, unknown>>;

/** The records of one kind; the id of an entry is `modelId/id`. */
export class Records<Stored = StoredRecord, Input = Members, Query = Members, Created = Stored> extends Calls {
  readonly #path: string;

  constructor(transport: Transport, kind: string) {
    super(transport);
    this.#path = `${root}/${kind}`;
  }

  list(query?: Query): Promise<RecordPage<Stored>> {
    return this.transport.get(this.#path, { ...query });
  }

  get = (id: string): Promise<VersionedRecord<Stored>> => this.#versioned({ method: 'GET', path: this.#pathOf(id) });

  /** By default uses a random `idempotencyKey`, so that retries make one record. */
  create(
    json: Input,
    { idempotencyKey = crypto.randomUUID() as string }: WriteOptions = {},
  ): Promise<VersionedRecord<Created>> {
    return this.#versioned({ method: 'POST', path: this.#path, json, idempotencyKey });
  }

  /** Creates the record or replaces it as a whole. */
  replace(id: string, json: Input, options: WriteOptions = {}): Promise<VersionedRecord<Stored>> {
    return this.#versioned({ method: 'PUT', path: this.#pathOf(id), json, ...options });
  }

  /** Applies a merge patch. */
  update = (id: string, json: Members, options: WriteOptions = {}): Promise<VersionedRecord<Stored>> =>
    this.#versioned({ method: 'PATCH', path: this.#pathOf(id), json, ...options });

  async delete(id: string, options: WriteOptions = {}): Promise<void> {
    await this.transport.send({ method: 'DELETE', path: this.#pathOf(id), ...options });
  }

  /** The versions of a record, newest first. A page may be short and still have a `next`. */
  versions = (id: string, query: PageQuery = {}): Promise<RecordPage<RecordVersion>> =>
    this.transport.get(`${this.#pathOf(id)}/versions`, { ...query });

  /** The record as a change has left it. */
  version = (id: string, version: string): Promise<Stored> =>
    this.transport.json({ method: 'GET', path: `${this.#pathOf(id)}/versions/${segment(version)}` });

  /** Makes a record, also a deleted one, that of one of its versions. */
  restore = (id: string, version: string, options: WriteOptions = {}): Promise<VersionedRecord<Stored>> =>
    this.#versioned({ method: 'POST', path: `${this.#pathOf(id)}/restore`, json: { version }, ...options });

  #pathOf = (id: string): string => `${this.#path}/${id.split('/').map(segment).join('/')}`;

  async #versioned<Of>(request: ClientRequest): Promise<VersionedRecord<Of>> {
    const { value, etag } = await this.transport.versioned<Of>(request);
    return { record: value, etag };
  }
}
