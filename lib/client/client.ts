import { ConversationCalls, VisitorSessionCalls } from './conversation-calls.ts';
import { AccessCalls, type Management, management } from './manage.ts';
import type { Databases, EntryPage, Localizable, NewFile, Versioned } from './own-types.ts';
import { replyEvents } from './reply-events.ts';
import { Calls, type ClientOptions, type ClientRequest, segment, Transport, type WriteOptions } from './transport.ts';
import type {
  Category,
  CategoryPage,
  EntryParameters,
  EventPage,
  FollowParameters,
  Form,
  FormParameters,
  ListCategoriesParameters,
  ListEntriesParameters,
  ListProductsParameters,
  Memberships,
  Product,
  ProductPage,
  Profile,
  ProfileChange,
  ReplyEvent,
  ReplyQuestion,
  UploadedFile,
  WorkspaceEvent,
} from './types.ts';
import { MediaCalls, uploadFiles } from './uploads.ts';

const perPage = 100;

/** An update takes and returns all languages. */
type UpdateEntryParameters = Omit<EntryParameters, 'locale' | 'fallback'>;

/**
 * Calls the service from TypeScript or JavaScript, on a server. Every method throws `ApiError` for an error status and
 * passes on the errors of `fetch`. A reply that breaks is `ReplyBroken`.
 */
export class WorkspaceClient<Own extends { readonly [Id in keyof Own]: { readonly id: string } } = Databases> {
  /** Records of a workspace document, by kind: `client.manage.menuProducts.update(id, { soldout: true })`. */
  readonly manage: Management;
  readonly #transport: Transport;
  readonly conversations: ConversationCalls;
  readonly visitorSessions: VisitorSessionCalls;
  /** API keys, members and audit events. */
  readonly access: AccessCalls;
  /** Public images. */
  readonly media: MediaCalls;
  /** The signed-in member, in a browser. */
  readonly profile: ProfileCalls;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
    this.manage = management(this.#transport);
    this.conversations = new ConversationCalls(this.#transport);
    this.visitorSessions = new VisitorSessionCalls(this.#transport);
    this.access = new AccessCalls(this.#transport);
    this.media = new MediaCalls(this.#transport);
    this.profile = new ProfileCalls(this.#transport);
  }

  async listEntries<Id extends keyof Own & string>(
    modelId: Id,
    query: ListEntriesParameters = {},
  ): Promise<EntryPage<Own[Id]>> {
    const response = await this.#transport.send({ method: 'GET', path: `${cms(modelId)}/list`, query });
    const count = (name: string) => Number(response.headers.get(`x-cms-${name}`));
    return {
      entries: (await response.json()) as Own[Id][],
      total: count('total'),
      limit: count('limit'),
      offset: response.headers.has('x-cms-offset') ? count('offset') : undefined,
      nextCursor: response.headers.get('x-cms-next-cursor') ?? undefined,
      hasMore: count('has-more') === 1,
      maxDepth: count('max-depth'),
    };
  }

  /** What has changed, oldest first. Go on with `after: page.next`. */
  listEvents = (query?: FollowParameters): Promise<EventPage> => this.#transport.get('/api/v1/events', { ...query });

  /** Iterates over what has changed, up to now. */
  async *events(query: FollowParameters = {}): AsyncGenerator<WorkspaceEvent> {
    for (let page: EventPage | undefined; page?.hasMore !== false; ) {
      page = await this.listEvents({ limit: perPage, ...query, ...(page && { after: page.next }) });
      yield* page.data;
    }
  }

  /** Iterates over all entries of a list, page by page. An entry that stays in the list appears exactly once. */
  async *allEntries<Id extends keyof Own & string>(
    modelId: Id,
    query: Omit<ListEntriesParameters, 'offset' | 'cursor'> = {},
  ): AsyncGenerator<Own[Id]> {
    for (let cursor: string | undefined; ; ) {
      const { entries, nextCursor } = await this.listEntries(modelId, { limit: perPage, ...query, cursor });
      yield* entries;
      if (nextCursor === undefined) return;
      cursor = nextCursor;
    }
  }

  async getEntry<Id extends keyof Own & string>(
    modelId: Id,
    id: string,
    query: EntryParameters = {},
  ): Promise<Versioned<Own[Id]>> {
    return this.#entry({ method: 'GET', path: `${cms(modelId)}/${segment(id)}`, query });
  }

  /**
   * Changes the fields in `values`. Without an `idempotencyKey` it is retried only if it certainly had no effect.
   * @param ifMatch updates only this version of the entry; another version is 412 `precondition_failed`
   */
  async updateEntry<Id extends keyof Own & string>(
    modelId: Id,
    id: string,
    values: Readonly<Record<string, unknown>>,
    { ifMatch, idempotencyKey, ...query }: UpdateEntryParameters & WriteOptions = {},
  ): Promise<Versioned<Own[Id]>> {
    const path = `${cms(modelId)}/${segment(id)}`;
    return this.#entry({ method: 'PATCH', path, query, ifMatch, idempotencyKey, json: { values } });
  }

  /** With `locale` each text is one string. */
  listProducts = <const Query extends ListProductsParameters = object>(
    query?: Query,
  ): Promise<Localizable<ProductPage, Query>> => this.#transport.get('/api/public/menu/products', query, 'query');

  /** With `locale` each text is one string. */
  listCategories = <const Query extends ListCategoriesParameters = object>(
    query?: Query,
  ): Promise<Localizable<CategoryPage, Query>> => this.#transport.get('/api/public/menu/categories', query, 'query');

  /** Iterates over all matching products, page by page. */
  allProducts = <const Query extends Omit<ListProductsParameters, 'page'> = object>(
    query?: Query,
  ): AsyncGenerator<Localizable<Product, Query>> =>
    allOf((page) => this.listProducts({ limit: perPage, ...query, page }));

  /** Iterates over all matching categories, page by page. */
  allCategories = <const Query extends Omit<ListCategoriesParameters, 'page'> = object>(
    query?: Query,
  ): AsyncGenerator<Localizable<Category, Query>> =>
    allOf((page) => this.listCategories({ limit: perPage, ...query, page }));

  /** With `locale` each text is one string. */
  getForm = async <const Query extends FormParameters = object>(
    slug: string,
    query?: Query,
  ): Promise<Localizable<Form, Query>> => this.#transport.get(forms(slug), query, 'query');

  /**
   * Stores a response to a form. Retries store it only once.
   * @returns the id of the response
   */
  async submitForm(
    slug: string,
    answers: Readonly<Record<string, unknown>>,
    { idempotencyKey = crypto.randomUUID() as string, language }: { idempotencyKey?: string; language?: string } = {},
  ): Promise<string> {
    const request = { method: 'POST', path: forms(slug), headers: { 'accept-language': language }, json: answers };
    const response = await this.#transport.send({ ...request, idempotencyKey, keyIn: 'query' });
    return response.headers.get('x-form-response-id') ?? '';
  }

  /**
   * Stores 1 to 5 files of at most 25 MB each. Their size decides between one request and direct uploads. Retries store
   * them only once.
   * @param idempotencyKey identifies this upload, so that the whole call can be repeated later
   */
  uploadAttachments = (
    files: readonly NewFile[],
    { idempotencyKey = crypto.randomUUID() as string }: { readonly idempotencyKey?: string } = {},
  ): Promise<UploadedFile[]> => uploadFiles(this.#transport, files, idempotencyKey);

  /** @returns the response, whose body is the file */
  downloadAsset(s3Key: string, { range }: { readonly range?: string } = {}): Promise<Response> {
    const path = `/api/v1/connect/assets/${s3Key.split('/').map(segment).join('/')}`;
    return this.#transport.send({ method: 'GET', path, headers: { range }, isLong: true, isStreamed: true });
  }

  /**
   * Streams the reply to a message: `delta` events, then one `done` or `error`.
   * @throws ReplyBroken if the stream breaks after its first event, or each time before it
   */
  streamReply(question: ReplyQuestion, signal?: AbortSignal): AsyncGenerator<ReplyEvent> {
    const path = '/api/v1/connect/ai-stream';
    // A message gets one reply, so a retry is safe.
    const request = { method: 'POST', path, json: question, isRepeatable: true, signal };
    return this.#transport.stream(request, replyEvents);
  }

  async #entry<Of>(request: ClientRequest): Promise<Versioned<Of>> {
    const { value, etag } = await this.#transport.versioned<Of>(request);
    return { entry: value, etag };
  }
}

const cms = (modelId: string): string => `/api/public/cms/${segment(modelId)}`;
const forms = (slug: string): string => `/api/public/forms/${segment(slug)}`;

interface Page<Item> {
  readonly data: readonly Item[];
  readonly pagination: { readonly hasMore: boolean };
}

/** @param read reads a page, whose items have a wider type */
async function* allOf<Item>(read: (page: number) => Promise<Page<unknown>>): AsyncGenerator<Item> {
  for (let page = 1; ; page++) {
    const { data, pagination } = await read(page);
    yield* data as readonly Item[];
    if (!pagination.hasMore) return;
  }
}

const profile = '/api/v1/profile';
const session = '/api/v1/session';

/** The profile and session of the signed-in member, for pages of the service's own origin. They need no API key. */
export class ProfileCalls extends Calls {
  /** Also extends the session. */
  get = (): Promise<Profile> => this.transport.get(profile);

  update = (json: ProfileChange): Promise<Profile> =>
    this.transport.json({ method: 'PATCH', path: profile, json, isRepeatable: true });

  /** Changes to another workspace of the same person, with a new session. */
  switchTo = (workspaceId: string): Promise<Profile> =>
    this.transport.json({ method: 'POST', path: session, json: { workspaceId } });

  /** The workspaces of the person, those to accept first. */
  memberships = (): Promise<Memberships> => this.transport.get(`${session}/memberships`);

  /** Accepts a membership, or declines and removes it. */
  async answer(workspaceId: string, accept: boolean): Promise<void> {
    const path = `${session}/memberships/${segment(workspaceId)}`;
    await this.transport.send({ method: 'POST', path, json: { accept }, isRepeatable: accept });
  }

  /** @returns the page that also ends the session at the identity provider */
  async signOut(): Promise<string> {
    return (await this.transport.json<{ logoutUrl: string }>({ method: 'DELETE', path: session })).logoutUrl;
  }
}
