import type { ErrorDetail } from './api-error.ts';
import type { Transport } from './transport.ts';

/** A stored record with the properties of the workspace document. */
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
  cmsModels: 'cms-models',
  cmsEntries: 'cms-entries',
  menuCategories: 'menu-categories',
  menuProducts: 'menu-products',
  forms: 'forms',
  formResponses: 'form-responses',
  notifications: 'notifications',
  attachments: 'attachments',
  agents: 'agents',
  channels: 'channels',
  customers: 'customers',
} as const;

type Members = Readonly<Record<string, unknown>>;

/** One change in a batch. `record` is the whole record or, for PATCH, the merge patch. */
export interface RecordChange {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The name in addresses, e.g. `cms-entries`. */
  readonly kind: (typeof kinds)[keyof typeof kinds];
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
export class Records {
  readonly #transport: Transport;
  readonly #path: string;
  readonly #segment: (text: string) => string;

  /** @param segment writes an id as a segment of a path */
  constructor(transport: Transport, kind: string, segment: (text: string) => string) {
    this.#transport = transport;
    this.#segment = segment;
    this.#path = `/api/v1/manage/${kind}`;
  }

  async list(query: Members = {}): Promise<RecordPage> {
    const response = await this.#transport.send({ method: 'GET', path: this.#path, query, isRepeatable: true });
    return (await response.json()) as RecordPage;
  }

  get = (id: string): Promise<VersionedRecord> => this.#versioned('GET', this.#pathOf(id), undefined, {}, true);

  /** By default uses a random `idempotencyKey`, so that retries make one record. */
  create = (
    record: Members,
    { idempotencyKey = crypto.randomUUID() as string }: WriteOptions = {},
  ): Promise<VersionedRecord> => this.#versioned('POST', this.#path, record, { idempotencyKey }, true);

  /** Creates the record or replaces it as a whole. */
  replace = (id: string, record: Members, options: WriteOptions = {}): Promise<VersionedRecord> =>
    this.#versioned('PUT', this.#pathOf(id), record, options, options.idempotencyKey !== undefined);

  /** Applies a merge patch. */
  update = (id: string, patch: Members, options: WriteOptions = {}): Promise<VersionedRecord> =>
    this.#versioned('PATCH', this.#pathOf(id), patch, options, options.idempotencyKey !== undefined);

  async delete(id: string, { ifMatch }: Pick<WriteOptions, 'ifMatch'> = {}): Promise<void> {
    const headers = { 'if-match': ifMatch };
    await this.#transport.send({ method: 'DELETE', path: this.#pathOf(id), headers, isRepeatable: false });
  }

  #pathOf = (id: string): string => `${this.#path}/${id.split('/').map(this.#segment).join('/')}`;

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
export type Management = { readonly [Name in keyof typeof kinds]: Records } & {
  /** The records of a kind by its name in addresses, e.g. `menu-products`. */
  readonly records: (kind: string) => Records;
  /** Makes up to 100 independent changes. @returns their outcomes, in the same order */
  readonly changes: (changes: readonly RecordChange[]) => Promise<readonly ChangeOutcome[]>;
};

export const management = (transport: Transport, segment: (text: string) => string): Management => {
  const records = (kind: string) => new Records(transport, kind, segment);
  const named = Object.entries(kinds).map(([name, kind]) => [name, records(kind)]);
  return {
    ...(Object.fromEntries(named) as { readonly [Name in keyof typeof kinds]: Records }),
    records,
    changes: async (changes) => {
      const request = { method: 'POST', path: '/api/v1/manage/changes', json: { changes }, isRepeatable: false };
      const { results } = (await (await transport.send(request)).json()) as { readonly results: ChangeOutcome[] };
      return results;
    },
  };
};
