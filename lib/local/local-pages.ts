import type { IncomingMessage } from 'node:http';
import { type HttpAnswer, jsonAnswer } from './answer.ts';

/**
 * The answers of `/_local/<name>`: by name where it is read, by method and name (`DELETE stats`) where something is
 * changed. A value is JSON, none is no content, a `PageAnswer` is sent as it is.
 */
export type LocalPages = Readonly<Record<string, (request: IncomingMessage) => unknown>>;

/** An answer of a page that is more than a value. */
export class PageAnswer {
  readonly answer: HttpAnswer;

  constructor(answer: HttpAnswer) {
    this.answer = answer;
  }
}

/**
 * Answers a page about the local run itself. Only programs on this machine see it: besides the address, the `Host` is
 * checked, because a web page of anybody's could make a browser on this machine ask through a name of its own that
 * it points at 127.0.0.1 (DNS rebinding). For the same reason nothing is changed for a page of another origin.
 * @returns undefined for everyone and everything else, which then is an unknown address like any other
 */
export function answerLocalPage(pages: LocalPages, request: IncomingMessage): Promise<HttpAnswer> | undefined {
  const { method, url = '', headers, socket } = request;
  const name = /^\/_local\/([a-z]+(?:\/[a-z.]+)?)$/.exec(url)?.[1];
  if (name === undefined) return undefined;
  const isRead = method === 'GET' || method === 'HEAD';
  const page = isRead ? name : `${method} ${name}`;
  if (!Object.hasOwn(pages, page)) return undefined;
  if (!isLoopback(socket.remoteAddress) || !loopbackHost.test(headers.host ?? '')) return undefined;
  return isRead || isOfThisOrigin(headers) ? answerOf(pages[page]?.(request)) : undefined;
}

async function answerOf(given: unknown): Promise<HttpAnswer> {
  const value = await given;
  const sent = { 'cache-control': 'no-store', 'x-request-id': crypto.randomUUID() };
  if (value instanceof PageAnswer) return { ...value.answer, headers: { ...sent, ...value.answer.headers } };
  return value === undefined
    ? { status: 204, headers: sent, cookies: [], body: Buffer.alloc(0) }
    : jsonAnswer(200, value, sent);
}

/** Browsers say where a request comes from; other programs say nothing. */
function isOfThisOrigin({ host, origin, 'sec-fetch-site': site = 'none' }: IncomingMessage['headers']): boolean {
  return (origin === undefined || origin === `http://${host}`) && ['none', 'same-origin'].includes(String(site));
}

const loopbackHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

const isLoopback = (address = ''): boolean => /^(?:::ffff:)?127\.|^::1$/.test(address);
