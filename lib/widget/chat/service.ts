import { eventData } from '#lib/client/event-data.ts';
import { failureOf, Interrupted } from './failures.ts';
import type { SessionKeeper } from './session-keeper.ts';
import type { Pending, PendingFile, Session } from './store.ts';
import type { Message, MessageFile, MessagePage } from './thread.ts';

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
  async messages(query: string, etag?: string) {
    const response = await this.#call({
      path: ({ conversationId }) => `conversations/${conversationId}/messages?${query}`,
      headers: etag === undefined ? {} : { 'if-none-match': etag },
    });
    if (response.status === 304) return undefined;
    return { page: await bodyOf<MessagePage>(response), etag: response.headers.get('etag') ?? undefined };
  }

  async send({ key, text, files }: Pending): Promise<Message> {
    const attachments = files.flatMap(({ id }) => id ?? []);
    const response = await this.#call({
      path: ({ conversationId }) => `conversations/${conversationId}/messages`,
      headers: { 'idempotency-key': key },
      json: () => ({ senderType: 'customer', text, attachments }),
    });
    return bodyOf(response);
  }

  async markRead(messageId: string): Promise<void> {
    await this.#call({
      path: ({ conversationId }) => `conversations/${conversationId}/read`,
      json: () => ({ messageId }),
    });
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
      const response = await this.#call({
        path: () => 'ai-stream',
        json: ({ agentId, conversationId }) => ({ agentId, conversationId, lastMessageId }),
        signal: silence.signal,
      });
      for await (const data of eventData(response, wait)) yield JSON.parse(data);
    } catch (error) {
      throw error instanceof Error && error.name === 'Refused' ? error : interruption(error);
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }

  /** @returns the id of the stored file */
  async upload({ key, name, type, content }: PendingFile): Promise<string> {
    if (!content) throw new Interrupted();
    const upload = { path: () => 'attachments', headers: { 'idempotency-key': key }, signal: long() };
    if (content.size <= multipartBytesMax) {
      const body = new FormData();
      body.append('files', content, name);
      return firstOf(await this.#call({ ...upload, method: 'POST', body })).then(({ id }) => id);
    }
    const files = [{ name, type: type || 'application/octet-stream', size: content.size }];
    const { id, upload: to } = await firstOf(
      await this.#call({ ...upload, path: () => 'attachments/announce', json: () => ({ files }) }),
    );
    if (to) await this.#put(to, content);
    return id;
  }

  async download({ s3Key }: MessageFile): Promise<Blob> {
    const path = s3Key.split('/').map(encodeURIComponent).join('/');
    const response = await this.#call({ path: () => `assets/${path}`, signal: long() });
    return response.blob().catch((error) => {
      throw interruption(error);
    });
  }

  async #put({ url, method, headers }: Upload, body: Blob): Promise<void> {
    // fetch sets content-length itself and forbids setting it.
    const { 'content-length': _, ...sent } = headers;
    const response = await send(url, { method, headers: sent, body, signal: long() });
    // 412: an earlier attempt stored the file, and its answer was lost.
    if (!response.ok && response.status !== 412) throw failureOf(response);
  }

  async #call(call: Call): Promise<Response> {
    const session = await this.#keeper.open();
    const response = await this.#send(call, session);
    if (response.status !== 401) return accepted(response);
    return accepted(await this.#send(call, await this.#keeper.open(session.token)));
  }

  #send({ path, method, headers, json, body, signal }: Call, session: Session): Promise<Response> {
    const type = json && { 'content-type': 'application/json' };
    const sent = json ? JSON.stringify(json(session)) : body;
    return send(`${this.#base}/api/v1/connect/${path(session)}`, {
      method: method ?? (json ? 'POST' : 'GET'),
      headers: { ...headers, ...type, authorization: `Bearer ${session.token}` },
      ...(sent !== undefined && { body: sent }),
      signal: signal ?? AbortSignal.timeout(silentMillisecondsMax),
      credentials: 'omit',
      cache: 'no-store',
    });
  }
}

interface Upload {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

const long = (): AbortSignal => AbortSignal.timeout(longMilliseconds);

const send = (url: string, options: RequestInit): Promise<Response> =>
  fetch(url, options).catch((error) => {
    throw interruption(error);
  });

const interruption = (error: unknown): Interrupted => (error instanceof Interrupted ? error : new Interrupted());

function accepted(response: Response): Response {
  if (response.ok || response.status === 304) return response;
  throw failureOf(response);
}

const bodyOf = async <Body>(response: Response): Promise<Body> => {
  const body: unknown = await response.json().catch((error) => {
    throw interruption(error);
  });
  return body as Body;
};

const firstOf = async (response: Response): Promise<{ readonly id: string; readonly upload?: Upload }> => {
  const { files } = await bodyOf<{ readonly files: readonly { readonly id: string; readonly upload?: Upload }[] }>(
    response,
  );
  if (!files[0]) throw new Interrupted();
  return files[0];
};

/** The events of a reply's stream (lib/spec/interface.md section 6). */
type ReplyEvent =
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'done'; readonly messageId: string; readonly text: string }
  | { readonly type: 'error'; readonly error: string };
