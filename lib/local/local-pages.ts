import type { IncomingMessage } from 'node:http';
import { type HttpAnswer, jsonAnswer } from './http-server.ts';

/**
 * The handlers of `/_local/<name>`. The key of a read is its name; that of a change is method and name, as in `DELETE
 * stats`. A value is sent as JSON, undefined as no content, a `PageAnswer` unchanged.
 */
export type LocalPages = Readonly<Record<string, (request: IncomingMessage) => unknown>>;

/** A complete answer of a page. */
export class PageAnswer {
  readonly answer: HttpAnswer;

  constructor(answer: HttpAnswer) {
    this.answer = answer;
  }
}

/**
 * Answers a page about the local run, to programs on this machine only. The `Host` is checked besides the address,
 * because a foreign web page could otherwise read it through DNS rebinding. For the same reason, pages of other
 * origins cannot change anything.
 * @returns undefined for other requests, which then have no route
 */
export function answerLocalPage(pages: LocalPages, request: IncomingMessage): Promise<HttpAnswer> | undefined {
  const { method, url = '', headers, socket } = request;
  const name = /^\/_local\/([a-z]+(?:\/[a-z.]+)?)(?:\?.*)?$/.exec(url)?.[1];
  if (name === undefined) return undefined;
  const isRead = method === 'GET' || method === 'HEAD';
  const page = isRead ? name : `${method} ${name}`;
  if (!Object.hasOwn(pages, page)) return undefined;
  if (!isLoopbackAddress(socket.remoteAddress) || !isLoopbackHost(headers.host)) return undefined;
  return isRead || isSameOrigin(headers) ? answerOf(pages[page]?.(request)) : undefined;
}

async function answerOf(result: unknown): Promise<HttpAnswer> {
  const value = await result;
  const pageHeaders = { 'cache-control': 'no-store', 'x-request-id': crypto.randomUUID() };
  if (value instanceof PageAnswer) return { ...value.answer, headers: { ...pageHeaders, ...value.answer.headers } };
  return value === undefined
    ? { status: 204, headers: pageHeaders, cookies: [], body: Buffer.alloc(0) }
    : jsonAnswer(200, value, pageHeaders);
}

/** Only browsers send an origin. */
function isSameOrigin({ host, origin, 'sec-fetch-site': site = 'none' }: IncomingMessage['headers']): boolean {
  return (origin === undefined || origin === `http://${host}`) && ['none', 'same-origin'].includes(String(site));
}

/** True for a `Host` header that names this machine. */
export const isLoopbackHost = (host = ''): boolean => /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i.test(host);

const isLoopbackAddress = (address = ''): boolean => /^(?:::ffff:)?127\.|^::1$/.test(address);
