import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { FunctionHost, WebHandler } from '#lib/local/function-host.ts';
import { type Call, closing, echo, noFunctions, TestFront } from '#test/support/local-front.ts';
import { capturedLines } from '#test/support/log-capture.ts';

let front: TestFront;

async function open(...settings: Parameters<typeof TestFront.open>): Promise<string> {
  front = await TestFront.open(...settings);
  return front.url;
}

afterEach(() => front.stop());

describe('routing', () => {
  it.each([
    ['GET', '/things/1', 'thing-get', 'GET /things/{id}'],
    ['PUT', '/things/1', 'thing-put', 'PUT /things/{id}'],
    ['POST', '/things/1', 'route-unknown', '$default'],
    ['GET', '/things/1/', 'route-unknown', '$default'],
    ['GET', '/other', 'route-unknown', '$default'],
    ['GET', '/things/%zz', 'route-unknown', '$default'],
    ['GET', '/things/%ff', 'route-unknown', '$default'],
    ['GET', '/_local/other', 'route-unknown', '$default'],
    ['GET', '/_local', 'route-unknown', '$default'],
    ['POST', '/_local/engines', 'route-unknown', '$default'],
  ])('sends %s %s to %s', async (method, path, name, routeKey) => {
    const url = await open();
    const answer = (await (await fetch(url + path, { method })).json()) as Call;
    expect(answer.name).toBe(name);
    expect(answer.event.routeKey).toBe(routeKey);
  });

  it('hands over a path that cannot be decoded as one segment, which no route takes', async () => {
    const url = await open();
    const { event } = (await (await fetch(`${url}/things/%zz`)).json()) as Call;
    expect(event.rawPath).toBe('/%2Fthings%2F%25zz');
  });

  it('sends HEAD to the function of GET and answers with the length and no body', async () => {
    let method: string | undefined;
    const url = await open(({ name, event }) => {
      method = `${name} ${event.requestContext.http.method}`;
      return { statusCode: 200, headers: { 'content-length': 12 }, body: '' };
    });
    const response = await fetch(`${url}/things/1`, { method: 'HEAD' });
    expect(method).toBe('thing-get HEAD');
    expect(response.headers.get('content-length')).toBe('12');
    expect(await response.text()).toBe('');
  });
});

describe('answers', () => {
  it('carries status, headers, cookies and binary bodies', async () => {
    const url = await open(() => ({
      statusCode: 201,
      headers: { 'Content-Type': 'image/png', 'x-count': 3, 'x-none': undefined },
      cookies: ['a=1', 'b=2'],
      body: Buffer.from([0, 255, 128]).toString('base64'),
      isBase64Encoded: true,
    }));
    const response = await fetch(`${url}/things/1`);
    expect(response.status).toBe(201);
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'content-type': 'image/png', 'x-count': '3' });
    expect(response.headers.has('x-none')).toBe(false);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect([...(await response.bytes())]).toEqual([0, 255, 128]);
  });

  it('takes a value without a status code for a JSON body', async () => {
    const url = await open(() => ({ plain: 'value' }));
    const response = await fetch(`${url}/things/1`);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toEqual({ plain: 'value' });
  });

  it.each([
    ['a status code that is none', { statusCode: 'x' }],
    ['a header that cannot be sent', { statusCode: 200, headers: { 'x-a': 'line\r\nbreak' } }],
  ])('answers 500 to %s', async (_, result) => {
    const url = await open(() => result);
    const lines = await capturedLines(async () => {
      const response = await fetch(`${url}/things/1`);
      expect(response.status).toBe(500);
      expect(response.headers.get('x-request-id')).toBeTruthy();
      expect(await response.json()).toEqual({ message: 'Internal Server Error', code: 'internal_error' });
    });
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(['error']);
  });
});

describe('bodies', () => {
  it('keeps one byte more than the limit and reads the rest', async () => {
    const lengths: number[] = [];
    const url = await open(({ event }) => {
      lengths.push(Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8').length);
      return { statusCode: 413 };
    });
    for (const bytes of [1_048_576, 1_048_577, 5_000_000]) {
      const response = await fetch(`${url}/things/1`, { method: 'PUT', body: Buffer.alloc(bytes) });
      expect(response.status).toBe(413);
    }
    await fetch(`${url}/files`, { method: 'POST', body: Buffer.alloc(5_000_000) });
    expect(lengths).toEqual([1_048_576, 1_048_577, 1_048_577, 5_000_000]);
  });

  it('takes a chunked body and gives it a length', async () => {
    await open();
    const answer = await front.sendRaw(
      `PUT /things/1 HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`,
    );
    const { event } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as Call;
    expect(event.body).toBe('abcde');
    expect(event.headers).toMatchObject({ 'content-length': '5' });
    expect(event.headers).not.toHaveProperty('transfer-encoding');
  });
});

describe('a function that takes plain HTTP', () => {
  const web: WebHandler = async (request, response) => {
    const { method, url, headers } = request;
    response.end(JSON.stringify({ method, url, type: headers['content-type'], body: await text(request) }));
    return {};
  };
  const over = (handler: WebHandler, limits?: 'ours' | 'aws') =>
    TestFront.over({ ...noFunctions, web: (name) => (name === 'files-upload' ? handler : undefined) }, limits);
  const upload = (url: string) => fetch(`${url}/files?a=%20`, { method: 'POST', body: 'abc' });

  it('gets the request as it came', async () => {
    front = await over(web);
    expect(await (await upload(front.url)).json()).toEqual({
      method: 'POST',
      url: '/files?a=%20',
      type: 'text/plain;charset=UTF-8',
      body: 'abc',
    });
  });

  it('gets an event instead where the limits of the platform are imitated', async () => {
    front = await over(() => Promise.reject(new Error('not called')), 'aws');
    const [line = ''] = await capturedLines(async () => {
      expect((await upload(front.url)).status).toBe(500);
    });
    expect(JSON.parse(line).causes[0].message).toContain('There is no such function.');
  });

  it('that fails is answered by 500, or broken off when it had begun', async () => {
    front = await over(async (_, response) => {
      if (response.req.headers['x-begin']) await new Promise((sent) => response.write('some', sent));
      throw new Error('failed');
    });
    expect((await upload(front.url)).status).toBe(500);
    const begun = fetch(`${front.url}/files`, { method: 'POST', headers: { 'x-begin': '1' } });
    await expect(begun.then((response) => response.text())).rejects.toThrow();
  });
});

describe('GET /_local/engines', () => {
  const ask = async (host: string): Promise<string> =>
    front.sendRaw(`GET /_local/engines HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

  it.each(['127.0.0.1', 'localhost:3000', '[::1]:1', 'LOCALHOST'])('answers on the name %s', async (host) => {
    await open();
    expect(await ask(host)).toMatch(/\{"dynamodb":"here"\}$/);
  });

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io', '127.0.0.1:80@evil', '', 'xlocalhost'])(
    'is an unknown address on the name %j',
    async (host) => {
      await open();
      expect(await ask(host)).toContain('route-unknown');
    },
  );

  it('is an unknown address for a target in absolute form', async () => {
    await open();
    expect(await front.sendRaw(`GET http://127.0.0.1/_local/engines HTTP/1.1\r\n${closing}`)).toContain(
      'route-unknown',
    );
  });
});

describe('connections', () => {
  it('serves many requests on one', async () => {
    await open();
    const first = 'GET /things/1 HTTP/1.1\r\nHost: x\r\n\r\n';
    const last = `GET /things/2 HTTP/1.1\r\n${closing}`;
    expect((await front.sendRaw(first + first + last)).match(/HTTP\/1\.1 200/g)).toHaveLength(3);
  });

  it('has its requests worked on one after the other, so that each sees what those before it did', async () => {
    let running = 0;
    const atOnce: number[] = [];
    await open(async () => {
      atOnce.push(++running);
      await delay(5);
      return { statusCode: 200, body: String(running--) };
    });
    const ask = 'PUT /things/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab';
    await front.sendRaw(`${ask}${ask}GET /things/2 HTTP/1.1\r\n${closing}`);
    expect(atOnce).toEqual([1, 1, 1]);
  });

  it('is answered when its client has said all and closed its half', async () => {
    await open(async () => {
      await delay(50);
      return { statusCode: 200 };
    });
    const socket = connect({ port: front.port, allowHalfOpen: true }).end('GET /things/1 HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200/);
    socket.destroy();
  });

  it.each<[string, (socket: Socket) => void]>([
    ['closes its connection', (socket) => socket.destroy()],
    ['resets its connection', (socket) => socket.resetAndDestroy()],
  ])('reports to a waiting call that its client %s', async (_, leave) => {
    const watched = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const invoke: FunctionHost['invoke'] = async (_name, _event, watchClient) => {
      watchClient?.().addEventListener('abort', () => left.resolve());
      watched.resolve();
      await left.promise;
    };
    front = await TestFront.over({ ...noFunctions, invoke });
    const socket = connect(front.port, '127.0.0.1');
    socket.write('GET /things/1 HTTP/1.1\r\nHost: x\r\n\r\n');
    await watched.promise;
    leave(socket);
    await left.promise;
  });

  it('gives interim answers, then its answer, to a client that has closed only its half while its call waits', async () => {
    const watched = Promise.withResolvers<AbortSignal>();
    const released = Promise.withResolvers<void>();
    const invoke: FunctionHost['invoke'] = async (_name, _event, watchClient) => {
      watched.resolve((watchClient as () => AbortSignal)());
      await released.promise;
      return { statusCode: 200, body: 'done' };
    };
    front = await TestFront.over({ ...noFunctions, invoke });
    const socket = connect({ port: front.port, allowHalfOpen: true }).end('GET /things/1 HTTP/1.1\r\nHost: x\r\n\r\n');
    const signal = await watched.promise;
    const [interim] = (await once(socket, 'data')) as [Buffer];
    expect(String(interim)).toMatch(/^(?:HTTP\/1\.1 100 Continue\r\n\r\n)+$/);
    expect(signal.aborted).toBe(false);
    released.resolve();
    expect(await text(socket)).toMatch(/HTTP\/1\.1 200 .*done$/s);
  });

  it('is refused on a port that is taken, in a sentence', async () => {
    await open();
    const again = TestFront.open(echo, 'ours', front.port);
    await expect(again).rejects.toThrow(/^Port \d+ on 127\.0\.0\.1 cannot be used/);
  });

  it('closes idle ones immediately when it stops, and busy ones after their answers', async () => {
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const url = await open(async () => {
      reached.resolve();
      await released.promise;
      return { statusCode: 200, body: 'done' };
    });
    const silent = connect(front.port, '127.0.0.1');
    await once(silent, 'connect');
    const running = httpRequest(`${url}/things/1`).end();
    await reached.promise;
    const silentEnded = once(silent, 'close');
    const stopped = front.stop();
    await silentEnded;
    released.resolve();
    const [response] = await once(running, 'response');
    expect(await text(response)).toBe('done');
    expect(response.headers.connection).toBe('close');
    await stopped;
  });
});
