import { eventData } from '#lib/client/event-data.ts';
import { asFailure, failureOf, Interrupted } from './failures.ts';
import type { SessionKeeper } from './session-keeper.ts';
import type { Message, MessageFile, MessagePage, Pending, PendingFile, Session } from './store.ts';

/** The service sends a comment every 10 s. A longer silence means a lost stream. */
const silentMillisecondsMax = 30_000;
const longMilliseconds = 300_000;
/** The size that every deployment accepts in one request, with room for multipart framing. */
const multipartBytesMax = 4_000_000;

interface Call {
  readonly path: (session: Session) => string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: (session: Session) => object;
  readonly body?: FormData;
  readonly signal?: AbortSignal;
}

/** The calls of a visitor. Each fails with Interrupted or Refused. */
export class Service {
  readonly #base: string;
  readonly #keeper: SessionKeeper;

  /** @param base the address of the service, without a slash at the end */
  constructor(base: string, keeper: SessionKeeper) {
    this.#base = base;
    this.#keeper = keeper;
  }

  /** @returns undefined if nothing has changed since the answer with this tag */
  messages(query: string, etag?: string) {
    const path = ({ conversationId }: Session) => `conversations/${conversationId}/messages?${query}`;
    return this.#call({ path, headers: etag === undefined ? {} : { 'if-none-match': etag } }, async (response) => {
      if (response.status === 304) return undefined;
      return { page: await bodyOf<MessagePage>(response), etag: response.headers.get('etag') ?? undefined };
    });
  }

  send({ key, text, files }: Pending): Promise<Message> {
    const attachments = files.flatMap(({ id }) => id ?? []);
    const path = ({ conversationId }: Session) => `conversations/${conversationId}/messages`;
    const json = () => ({ senderType: 'customer', text, attachments });
    return this.#call({ path, headers: { 'idempotency-key': key }, json }, bodyOf<Message>);
  }

  markRead(messageId: string): Promise<void> {
    const path = ({ conversationId }: Session) => `conversations/${conversationId}/read`;
    return this.#call({ path, json: () => ({ messageId }) }, () => undefined);
  }

  /** Streams the reply to a message. A repeated call gets the same reply. */
  async *reply(lastMessageId: string): AsyncGenerator<ReplyEvent> {
    const silence = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silentMillisecondsMax);
    };
    wait();
    try {
      const response = await this.#send({
        path: () => 'ai-stream',
        json: ({ agentId, conversationId }) => ({ agentId, conversationId, lastMessageId }),
        signal: silence.signal,
      });
      for await (const data of eventData(response, wait)) yield JSON.parse(data);
    } catch (error) {
      throw asFailure(error);
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }

  /** @returns the id of the stored file */
  async upload({ key, name, type, content }: PendingFile): Promise<string> {
    if (!content) throw new Interrupted();
    const isSmall = content.size <= multipartBytesMax;
    const announced = { files: [{ name, type: type || 'application/octet-stream', size: content.size }] };
    const body = new FormData();
    body.append('files', content, name);
    const sent = isSmall
      ? { path: () => 'attachments', method: 'POST', body }
      : { path: () => 'attachments/announce', json: () => announced };
    const call = { ...sent, headers: { 'idempotency-key': key }, signal: long() };
    return this.#call(call, async (response) => {
      const [file] = (await bodyOf<{ readonly files: readonly StoredFile[] }>(response)).files;
      if (!file) throw new Interrupted();
      if (file.upload) await put(file.upload, content);
      return file.id;
    });
  }

  download({ s3Key }: MessageFile): Promise<Blob> {
    const path = s3Key.split('/').map(encodeURIComponent).join('/');
    return this.#call({ path: () => `assets/${path}`, signal: long() }, (response) => response.blob());
  }

  async #call<Result>(call: Call, read: (response: Response) => Result | Promise<Result>): Promise<Result> {
    try {
      return await read(await this.#send(call));
    } catch (error) {
      throw asFailure(error);
    }
  }

  /** Sends a call, with a new session if its token is refused. */
  async #send(call: Call): Promise<Response> {
    const session = await this.#keeper.open();
    const first = await this.#fetch(call, session);
    const response = first.status === 401 ? await this.#fetch(call, await this.#keeper.open(session.token)) : first;
    if (response.ok || response.status === 304) return response;
    throw failureOf(response);
  }

  #fetch({ path, method, headers, json, body, signal }: Call, session: Session): Promise<Response> {
    const type = json && { 'content-type': 'application/json' };
    const sent = json ? JSON.stringify(json(session)) : body;
    return fetch(`${this.#base}/api/v1/connect/${path(session)}`, {
      method: method ?? (json ? 'POST' : 'GET'),
      headers: { ...headers, ...type, authorization: `Bearer ${session.token}` },
      ...(sent !== undefined && { body: sent }),
      signal: signal ?? AbortSignal.timeout(silentMillisecondsMax),
      credentials: 'omit',
      cache: 'no-store',
    });
  }
}

/** A file that is stored, or announced: its bytes go to `upload`. */
interface StoredFile {
  readonly id: string;
  readonly upload?: {
    readonly url: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
  };
}

async function put({ url, method, headers }: NonNullable<StoredFile['upload']>, body: Blob): Promise<void> {
  // fetch sets content-length itself and forbids setting it.
  const { 'content-length': _, ...sent } = headers;
  const response = await fetch(url, { method, headers: sent, body, signal: long() });
  // 412: an earlier attempt stored the file, and its answer was lost.
  if (!response.ok && response.status !== 412) throw failureOf(response);
}

const bodyOf = async <Body>(response: Response): Promise<Body> => (await response.json()) as Body;

const long = (): AbortSignal => AbortSignal.timeout(longMilliseconds);

/** The events of a reply's stream (lib/spec/interface.md section 6). */
type ReplyEvent =
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'done'; readonly messageId: string; readonly text: string }
  | { readonly type: 'error'; readonly error: string };
