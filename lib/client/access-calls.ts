import type { Transport } from './transport.ts';
import type {
  ApiKey,
  AuditEvent,
  IssuedKey,
  ListEventsParameters,
  ListRecordsParameters,
  Member,
  NewApiKey,
} from './types.ts';

const base = '/api/v1/manage';

interface Page<Row> {
  readonly data: readonly Row[];
  readonly next: string | null;
}

interface WriteOptions {
  /** Changes only this version; another version is 412 `precondition_failed`. */
  readonly ifMatch?: string;
  /** Identifies this write, so that it can be retried safely. */
  readonly idempotencyKey?: string;
}

/** API keys, members and audit events of the workspace. */
export class AccessCalls {
  readonly #transport: Transport;
  readonly #segment: (text: string) => string;

  /** @param segment writes an id as a segment of a path */
  constructor(transport: Transport, segment: (text: string) => string) {
    this.#transport = transport;
    this.#segment = segment;
  }

  listKeys = (query: ListRecordsParameters = {}): Promise<Page<ApiKey>> => this.#get('api-keys', query);
  getKey = (id: string): Promise<ApiKey> => this.#get(`api-keys/${this.#segment(id)}`);

  /** @returns the key with its secret, which is shown only once; the answer to a retry may lack it */
  createKey = (key: NewApiKey, options: WriteOptions = {}): Promise<IssuedKey> =>
    this.#send('POST', 'api-keys', key, { idempotencyKey: crypto.randomUUID(), ...options });

  updateKey = (
    id: string,
    change: Partial<Omit<NewApiKey, 'id' | 'memberId'>>,
    options?: WriteOptions,
  ): Promise<ApiKey> => this.#send('PATCH', `api-keys/${this.#segment(id)}`, change, options);

  /**
   * Gives a key a new secret, which is shown only once.
   * @param graceSeconds how long the former secret stays valid, at most seven days
   */
  rotateKey = (id: string, graceSeconds = 0, options?: Omit<WriteOptions, 'ifMatch'>): Promise<IssuedKey> =>
    this.#send('POST', `api-keys/${this.#segment(id)}/rotate`, { graceSeconds }, options);

  listMembers = (query: ListRecordsParameters = {}): Promise<Page<Member>> => this.#get('members', query);
  getMember = (id: string): Promise<Member> => this.#get(`members/${this.#segment(id)}`);

  createMember = (member: Partial<Member> & Pick<Member, 'name'>, options: WriteOptions = {}): Promise<Member> =>
    this.#send('POST', 'members', member, { idempotencyKey: crypto.randomUUID(), ...options });

  replaceMember = (
    id: string,
    member: Partial<Member> & Pick<Member, 'name'>,
    options?: WriteOptions,
  ): Promise<Member> => this.#send('PUT', `members/${this.#segment(id)}`, member, options);

  updateMember = (id: string, change: Partial<Omit<Member, 'id'>>, options?: WriteOptions): Promise<Member> =>
    this.#send('PATCH', `members/${this.#segment(id)}`, change, options);

  /** Also deletes the keys of the member. */
  async deleteMember(id: string, options?: WriteOptions): Promise<void> {
    await this.#sent('DELETE', `members/${this.#segment(id)}`, undefined, options);
  }

  /** Makes the identity provider send the member an invitation, also repeatedly. */
  async inviteMember(id: string): Promise<void> {
    await this.#sent('POST', `members/${this.#segment(id)}/invite`, undefined);
  }

  /** Newest first. A page may be empty and still have a `next`. */
  listEvents = (query: ListEventsParameters = {}): Promise<Page<AuditEvent>> => this.#get('audit-events', query);
  getEvent = (id: string): Promise<AuditEvent> => this.#get(`audit-events/${this.#segment(id)}`);

  async #get<Answer>(path: string, query: object = {}): Promise<Answer> {
    const request = {
      method: 'GET',
      path: `${base}/${path}`,
      query: query as Record<string, never>,
      isRepeatable: true,
    };
    return (await (await this.#transport.send(request)).json()) as Answer;
  }

  async #send<Answer>(method: string, path: string, json: unknown, options?: WriteOptions): Promise<Answer> {
    return (await (await this.#sent(method, path, json, options)).json()) as Answer;
  }

  #sent(
    method: string,
    path: string,
    json: unknown,
    { ifMatch, idempotencyKey }: WriteOptions = {},
  ): Promise<Response> {
    const headers = { 'if-match': ifMatch, 'idempotency-key': idempotencyKey };
    const body = json === undefined ? {} : { json };
    return this.#transport.send({
      method,
      path: `${base}/${path}`,
      headers,
      ...body,
      isRepeatable: idempotencyKey !== undefined,
    });
  }
}
