import type { IncomingMessage } from 'node:http';
import { type HttpAnswer, jsonAnswer } from './answer.ts';

/**
 * What `/_local/<name>` answers: by name where it is read, by method and name (`DELETE stats`) where it is changed,
 * which answers nothing.
 */
export type LocalPages = Readonly<Record<string, () => unknown>>;

/**
 * Answers a page about the local run itself. Only programs on this machine see it: besides the address, the `Host` is
 * checked, because a web page of anybody's could make a browser on this machine ask through a name of its own that
 * it points at 127.0.0.1 (DNS rebinding).
 * @returns undefined for everyone and everything else, which then is an unknown address like any other
 */
export function answerLocalPage(pages: LocalPages, request: IncomingMessage): HttpAnswer | undefined {
  const { method, url = '', headers, socket } = request;
  const name = /^\/_local\/([a-z]+)$/.exec(url)?.[1];
  if (name === undefined) return undefined;
  const page = method === 'GET' || method === 'HEAD' ? name : `${method} ${name}`;
  if (!Object.hasOwn(pages, page)) return undefined;
  if (!isLoopback(socket.remoteAddress) || !loopbackHost.test(headers.host ?? '')) return undefined;
  const value = pages[page]?.();
  const sent = { 'cache-control': 'no-store', 'x-request-id': crypto.randomUUID() };
  return value === undefined
    ? { status: 204, headers: sent, cookies: [], body: Buffer.alloc(0) }
    : jsonAnswer(200, value, sent);
}

const loopbackHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

const isLoopback = (address = ''): boolean => /^(?:::ffff:)?127\.|^::1$/.test(address);
