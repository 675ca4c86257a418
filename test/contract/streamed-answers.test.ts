import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { encodeRoutes } from '#lib/http/router.ts';
import type { StreamReply, StreamRequestOf } from '#lib/http/stream-api.ts';
import { type FunctionModule, hostFunctions } from '#lib/local/function-host.ts';
import { type Handler, openStream } from '#test/support/call.ts';
import { closing, TestFront } from '#test/support/local-front.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/streams/{name+}',
  summary: 'A streamed answer.',
  keyIn: ['bearer'],
  permissions: ['cms:entry:read'],
  query: z.object({ pieces: z.optional(z.enum(['1', '2'])) }),
  response: z.unknown(),
  responseMode: 'streamed',
  uses: ['table:read'],
});
type Handle = (request: StreamRequestOf<typeof endpoint>) => StreamReply | Promise<StreamReply>;

let handle: Handle;
let handler: Handler;
let front: TestFront;
let keys: Awaited<ReturnType<typeof openWorkspace<'kitchen'>>>['keys'];
let lines: string[] = [];

beforeAll(async () => {
  // Both are read when the modules are imported.
  process.env['ROUTES'] = encodeRoutes([{ name: 'stream-get', methods: endpoint.methods, path: endpoint.path }]);
  process.env['LOG_LEVEL'] = 'info';
  const { streamApi } = await import('#lib/http/stream-api.ts');
  handler = streamApi(endpoint, async (request) => handle(request)) as unknown as Handler;
  const modules = new Map([['stream-get', { handler } as FunctionModule]]);
  front = await TestFront.over(hostFunctions(modules, new Map([['stream-get', { lambda: { timeoutSeconds: 3 } }]])));
  keys = (await openWorkspace('kitchen')).keys;
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
});

beforeEach(() => {
  lines = [];
});

afterAll(async () => {
  await front.stop();
  // A request that was left behind may still end and write its log line.
  process.env['LOG_LEVEL'] = 'silent';
  jest.restoreAllMocks();
});

async function* pieces(...all: (string | Uint8Array)[]) {
  yield* all;
}

const ask = (path = '/streams/a', init: RequestInit = {}, key = keys.reader) =>
  fetch(front.url + path, { headers: { authorization: `Bearer ${key}` }, ...init });

const requestText = (method = 'GET', path = '/streams/a') =>
  `${method} ${path} HTTP/1.1\r\nAuthorization: Bearer ${keys.reader}\r\n${closing}`;

async function untilLogged(count: number): Promise<object[]> {
  for (let tries = 0; lines.length < count && tries < 6_000; tries++) await delay(10);
  return lines.map((line) => JSON.parse(line));
}

describe('a streamed answer', () => {
  it('arrives piece by piece, with its status, its headers and the id of the request', async () => {
    const second = Promise.withResolvers<string>();
    const body = (async function* () {
      yield 'one ';
      yield await second.promise;
    })();
    handle = () => ({ status: 201, headers: { 'content-type': 'text/plain', 'x-mark': 'yes' }, body });
    const response = await ask();
    expect(response.status).toBe(201);
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'content-type': 'text/plain', 'x-mark': 'yes' });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe('one ');
    expect(lines).toEqual([]);
    second.resolve('two');
    expect(await reader.read()).toEqual({ done: false, value: 'two' });
    expect(await reader.read()).toEqual({ done: true });
  });

  it('is logged at its end, with its cost', async () => {
    handle = ({ tableFor }) => ({
      headers: {},
      body: (async function* () {
        yield 'a';
        await tableFor(1_000).get({ pk: 'nothing', sk: 'nothing' });
      })(),
    });
    const response = await ask();
    await response.text();
    const [line, ...others] = await untilLogged(1);
    expect(line).toMatchObject({
      level: 'info',
      requestId: response.headers.get('x-request-id'),
      route: '/streams/{name+}',
      status: 200,
      dynamodb: { calls: { BatchGetItem: 2 } },
    });
    expect(others).toEqual([]);
  });

  it('carries any bytes unchanged, and may be empty', async () => {
    const bytes = Buffer.from([0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 128]);
    handle = () => ({ headers: {}, body: pieces(bytes, '', bytes) });
    expect(Buffer.from(await (await ask()).arrayBuffer())).toEqual(Buffer.concat([bytes, bytes]));
    handle = () => ({ headers: { 'x-mark': 'empty' }, body: pieces() });
    const none = await ask();
    expect([none.headers.get('x-mark'), await none.text()]).toEqual(['empty', '']);
    handle = () => ({ status: 304, headers: { etag: '"1"' } });
    const unchanged = await ask();
    expect([unchanged.status, unchanged.headers.get('etag'), await unchanged.text()]).toEqual([304, '"1"', '']);
  });

  it('has no body for HEAD, but the same headers', async () => {
    const read = jest.fn();
    const body = (async function* () {
      read();
      yield 'abc';
    })();
    handle = ({ method }) => ({ headers: { 'content-length': '3', 'x-method': method }, body });
    const answer = await front.sendRaw(requestText('HEAD'));
    expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(answer).toMatch(/content-length: 3\r\n/);
    expect(answer).toMatch(/x-method: HEAD\r\n/);
    expect(answer).toMatch(/\r\n\r\n$/);
    expect(read).not.toHaveBeenCalled();
    expect(await untilLogged(1)).toMatchObject([{ method: 'HEAD', status: 200 }]);
  });

  it('is produced no faster than the client reads it', async () => {
    let made = 0;
    handle = () => ({
      headers: {},
      body: (async function* () {
        for (; made < 600; made++) yield Buffer.alloc(65_536);
      })(),
    });
    const socket = connect(front.port, '127.0.0.1');
    socket.write(requestText());
    await new Promise((resolve) => socket.once('readable', resolve));
    for (let before = -1; made > before; await delay(200)) before = made;
    expect(made).toBeLessThan(500);
    let bytes = 0;
    for await (const chunk of socket) bytes += chunk.length;
    expect(made).toBe(600);
    expect(bytes).toBeGreaterThan(600 * 65_536);
  });

  it('is completed after the client disconnects, and the function does not notice', async () => {
    const left = Promise.withResolvers<void>();
    const ended = jest.fn();
    handle = () => ({
      headers: {},
      body: (async function* () {
        yield 'first';
        await left.promise;
        for (let piece = 0; piece < 100; piece++) yield Buffer.alloc(65_536);
        ended();
      })(),
    });
    const abort = new AbortController();
    await ask('/streams/a', { headers: { authorization: `Bearer ${keys.reader}` }, signal: abort.signal });
    abort.abort();
    await delay(50);
    left.resolve();
    expect(await untilLogged(1)).toMatchObject([{ level: 'info', status: 200 }]);
    expect(ended).toHaveBeenCalled();
  });
});

describe('a streaming function', () => {
  it('answers 500 as JSON when it fails before the answer begins', async () => {
    handle = () => {
      throw new Error('secret detail');
    };
    const response = await ask();
    expect(response.status).toBe(500);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('x-request-id')).toBeTruthy();
    expect(await response.json()).toEqual({ code: 'internal_error', message: expect.any(String) });
    expect(await untilLogged(2)).toMatchObject([{ code: 'internal_error' }, { status: 500, level: 'error' }]);
  });

  it.each([
    ['immediately', pieces],
    ['after a piece', () => pieces('some')],
    ['after a megabyte', () => pieces(Buffer.alloc(1_048_576, 'a'))],
  ])('breaks the connection when its body fails %s', async (_, before) => {
    handle = () => ({
      headers: {},
      body: (async function* () {
        yield* before();
        await delay(20);
        throw new Error('broken');
      })(),
    });
    const answer = await front.sendRaw(requestText()).catch(() => '');
    expect(answer).not.toMatch(/\r\n0\r\n\r\n$/);
    expect(answer).not.toContain('broken');
    await expect(ask().then((response) => response.text())).rejects.toThrow();
    // The local run adds a line of its own to each, as Lambda does.
    expect((await untilLogged(6)).filter((line) => 'code' in line)).toMatchObject([
      { code: 'answer_broken' },
      { status: 200, code: 'answer_broken' },
      {},
      {},
    ]);
  });

  it('breaks the connection when it does not end in time, or answers 503 when nothing was sent', async () => {
    const never = new Promise<never>(() => undefined);
    const stuck = async function* () {
      yield 'a';
      await never;
    };
    handle = ({ params }) => (params.name === 'silent' ? never : { headers: {}, body: stuck() });
    const [, late] = await Promise.all([
      expect(ask().then((response) => response.text())).rejects.toThrow(),
      ask('/streams/silent'),
    ]);
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '1']);
  });
});

describe('the checks before a streamed answer', () => {
  beforeEach(() => {
    handle = ({ params }) => ({ headers: {}, body: pieces(params.name) });
  });

  /** Sends as a function URL does, which accepts any path and method. */
  async function askFunction(method: string, url: string, headers: Record<string, string> = {}) {
    const raw = { method, url, body: Buffer.alloc(0), sourceIp: '192.0.2.1', requestId: 'r', routeKey: '$default' };
    const sent = Object.entries({ authorization: `Bearer ${keys.reader}`, ...headers });
    const { body, ...head } = await openStream(handler, { ...raw, headers: sent });
    return { ...head, text: await text(body) };
  }

  it.each([
    ['GET', '/streams/a', { authorization: '' }, 401, 'missing_api_key'],
    ['GET', '/streams/a?pieces=3', {}, 400, 'invalid_query'],
    ['GET', '/streams/%zz', {}, 404, 'not_found'],
    ['GET', '/streams/%ff', {}, 404, 'not_found'],
    ['GET', '/streams/a/', {}, 404, 'not_found'],
    ['GET', '/streams/', {}, 404, 'not_found'],
    ['GET', '/streams', {}, 404, 'not_found'],
    ['GET', '/other/a', {}, 404, 'not_found'],
    ['PUT', '/streams/a', {}, 405, 'method_not_allowed'],
  ] as const)('answer %s %s with %j by %d %s', async (method, url, headers, status, code) => {
    const answer = await askFunction(method, url, headers);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ code });
    expect(answer.headers).toMatchObject({ 'x-request-id': expect.any(String) });
    if (status === 405) expect(answer.headers).toMatchObject({ allow: 'GET, HEAD' });
  });

  it('refuse a key without the permission', async () => {
    const response = await ask('/streams/a', {}, keys.powerless);
    expect([response.status, await response.json()]).toMatchObject([403, { code: 'permission_denied' }]);
  });

  it.each([
    ['/streams/a/b', 'a/b'],
    ['/streams/a%20b/%D9%86', 'a b/ن'],
    ['/streams/a%2Fb', 'a/b'],
    ['/streams/100%2525', '100%25'],
    ['/streams/a+b', 'a+b'],
    ['/streams/a//b', 'a//b'],
  ])('decode the path %s one time', async (path, name) => {
    expect(await (await ask(path)).text()).toBe(name);
  });

  it('leave out the body of an error for HEAD', async () => {
    const answer = await front.sendRaw(requestText('HEAD', '/streams/a?pieces=3'));
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toMatch(/content-length: [1-9]\d*\r\n/);
    expect(answer).toMatch(/\r\n\r\n$/);
  });
});
