import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { WebHandler } from '#lib/local/function-host.ts';
import { closing, echo, noFunctions, TestFront } from '#test/support/local-front.ts';

let front: TestFront;

async function open(...settings: Parameters<typeof TestFront.open>): Promise<string> {
  front = await TestFront.open(...settings);
  return front.url;
}

afterEach(() => front.stop());

function lastAnswer(raw: string) {
  const [head = '', body = ''] = (raw.split(/(?=HTTP\/1\.1 \d)/).at(-1) ?? '').split('\r\n\r\n');
  return { status: Number(head.slice(9, 12)), head, body };
}

describe('an invalid request', () => {
  it.each([
    ['garbage', 'hello\r\n\r\n', 400],
    ['an unknown method', `FOO / HTTP/1.1\r\n${closing}`, 400],
    ['a broken header', 'GET / HTTP/1.1\r\nHost x\r\n\r\n', 400],
    ['two lengths', `PUT /things/1 HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n${closing}`, 400],
    [
      'a length and chunks',
      `PUT /things/1 HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n${closing}`,
      400,
    ],
    ['a broken chunk', `PUT /things/1 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${closing}zz\r\n`, 400],
    ['no Host', 'GET /things/1 HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two Hosts', `GET /things/1 HTTP/1.1\r\nHost: other\r\n${closing}`, 400],
    ['CONNECT', `CONNECT example.com:443 HTTP/1.1\r\n${closing}`, 400],
    ['a long address', `GET /things/${'a'.repeat(70_000)} HTTP/1.1\r\n${closing}`, 431],
    ['a long header', `GET /things/1 HTTP/1.1\r\nX-A: ${'a'.repeat(300_000)}\r\n${closing}`, 431],
    ['many headers', `GET /things/1 HTTP/1.1\r\n${'a: b\r\n'.repeat(11_000)}${closing}`, 431],
  ])('answers %s in the shape of every error', async (_, bytes, status) => {
    await open();
    const answer = lastAnswer(await front.sendRaw(bytes));
    expect(answer.status).toBe(status);
    expect(answer.head).toMatch(/^x-request-id: [0-9a-f-]{36}\r?$/im);
    expect(answer.head).toMatch(/^cache-control: no-store\r?$/im);
    expect(answer.head).toMatch(/^x-content-type-options: nosniff\r?$/im);
    expect(JSON.parse(answer.body)).toEqual({
      message: expect.any(String),
      code: status === 431 ? 'headers_too_large' : 'invalid_request',
    });
  });

  it('gets a message that an address is not encoded', async () => {
    await open();
    const { status, body } = lastAnswer(await front.sendRaw(`GET /things/1?search=كبسة HTTP/1.1\r\n${closing}`));
    expect(status).toBe(400);
    expect(JSON.parse(body).message).toContain('percent-encoded');
  });

  it('takes 64 KB of request line and headers, and not a byte more', async () => {
    const statuses: number[] = [];
    await open();
    for (const bytes of [65_536, 65_537]) {
      const rest = `GET /things/ HTTP/1.1\r\n${closing}`.length;
      statuses.push(
        lastAnswer(await front.sendRaw(`GET /things/${'a'.repeat(bytes - rest)} HTTP/1.1\r\n${closing}`)).status,
      );
    }
    expect(statuses).toEqual([200, 431]);
  });

  it('answers what came before it on the connection first', async () => {
    await open(async () => {
      await delay(50);
      return { statusCode: 200, body: 'first' };
    });
    const raw = await front.sendRaw('GET /things/1 HTTP/1.1\r\nHost: x\r\n\r\ngarbage\r\n\r\n');
    expect(raw.indexOf('first')).toBeGreaterThan(0);
    expect(raw.indexOf('invalid_request')).toBeGreaterThan(raw.indexOf('first'));
  });

  it('answers complete requests first also when its own head was valid', async () => {
    const called: string[] = [];
    const begun = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<void>();
    await open(async ({ event }) => {
      called.push(event.rawPath);
      begun.resolve();
      await refused.promise;
      return { statusCode: 200, body: 'first' };
    });
    const socket = connect(front.port, '127.0.0.1');
    const answers = text(socket);
    socket.write('GET /things/1 HTTP/1.1\r\nHost: x\r\n\r\n');
    await begun.promise;
    socket.write(`PUT /things/2 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${closing}zz\r\n`);
    // Anything that the front sends too early arrives before the answer of a later request.
    expect((await fetch(`${front.url}/_local/engines`)).status).toBe(200);
    refused.resolve();
    const [first, second] = (await answers).split(/(?=HTTP\/1\.1 \d)/);
    expect([first?.slice(9, 12), first?.includes('first')]).toEqual(['200', true]);
    expect([second?.slice(9, 12), second?.includes('invalid_request')]).toEqual(['400', true]);
    expect(called).toEqual(['/things/1']);
  });

  it('survives clients that go away at any moment', async () => {
    const url = await open(async () => {
      await delay(20);
      return { statusCode: 200, body: 'x'.repeat(1_000_000) };
    });
    for (const bytes of [
      'GET /thi',
      `GET /things/1 HTTP/1.1\r\n${closing}`,
      'PUT /things/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab',
    ]) {
      for (const milliseconds of [0, 10, 25]) {
        const socket = connect(front.port, '127.0.0.1');
        await once(socket, 'connect');
        socket.write(bytes);
        await delay(milliseconds);
        socket.resetAndDestroy();
      }
    }
    expect((await fetch(`${url}/things/1`)).status).toBe(200);
  });
});

it('the local front carries out no request that waits behind the last one of a connection when it stops', async () => {
  const called: string[] = [];
  const begun = Promise.withResolvers<void>();
  const stopping = Promise.withResolvers<void>();
  await open(async ({ event }) => {
    called.push(event.rawPath);
    begun.resolve();
    await stopping.promise;
    return { statusCode: 200 };
  });
  const ask = (id: number) => `PUT /things/${id} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab`;
  const answers = front.sendRaw(ask(1) + ask(2));
  await begun.promise;
  const stopped = front.stop();
  stopping.resolve();
  expect((await answers).match(/HTTP\/1\.1 200/g)).toHaveLength(1);
  await stopped;
  expect(called).toEqual(['/things/1']);
});

describe('a client that is silent for too long', () => {
  const impatient = { silentMillisecondsMax: 500 };

  it('is left when it takes no more of its answer', async () => {
    const left = Promise.withResolvers<void>();
    const web: WebHandler = async (_, response) => {
      response.once('close', left.resolve).end(Buffer.alloc(50_000_000));
      return {};
    };
    front = await TestFront.over({ ...noFunctions, web: () => web }, 'ours', 0, impatient);
    const socket = connect(front.port, '127.0.0.1').pause();
    socket.on('error', () => undefined).write('POST /files HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
    await left.promise;
    socket.destroy();
  });

  it('gets an error in the middle of a request', async () => {
    front = await TestFront.over(noFunctions, 'ours', 0, impatient);
    const { status, body } = lastAnswer(
      await front.sendRaw('PUT /things/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab'),
    );
    expect(status).toBe(408);
    expect(JSON.parse(body).code).toBe('request_timeout');
  });

  it('is waited for while its own answer is being made', async () => {
    const invoke = async () => {
      await delay(750);
      return { statusCode: 200, body: 'done' };
    };
    front = await TestFront.over({ ...noFunctions, invoke }, 'ours', 0, impatient);
    expect(await front.sendRaw(`GET /things/1 HTTP/1.1\r\n${closing}`)).toMatch(/done$/);
  });
});

describe('--limits aws', () => {
  it('takes 10,240 bytes of request line and headers, and not a byte more', async () => {
    await open(echo, 'aws');
    const rest = `GET /things/ HTTP/1.1\r\n${closing}`.length;
    const ask = (bytes: number) => front.sendRaw(`GET /things/${'a'.repeat(bytes - rest)} HTTP/1.1\r\n${closing}`);
    expect(await ask(10_240)).toMatch(/^HTTP\/1.1 200/);
    expect(await ask(10_241)).toMatch(/^HTTP\/1.1 431/);
  });

  it.each([
    ['a payload over 10 MB', 10_485_761, 'text/plain'],
    ['an event over 6 MB', 5_000_000, 'image/png'],
  ])('answers 413 in its words to %s', async (_, bytes, type) => {
    const url = await open(echo, 'aws');
    const response = await fetch(`${url}/things/1`, {
      method: 'PUT',
      body: Buffer.alloc(bytes, 'a'),
      headers: { 'content-type': type },
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ message: 'Request Entity Too Large' });
  });

  it('forwards an upload only until it is too large for an event', async () => {
    const url = await open(({ event }) => {
      const { body = '', headers } = event;
      const bytes = Buffer.from(body, 'base64').length;
      return { statusCode: 200, body: JSON.stringify({ bytes, sent: headers['content-length'] }) };
    }, 'aws');
    const response = await fetch(`${url}/files`, {
      method: 'POST',
      body: Buffer.alloc(12_000_000, 'a'),
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    expect(await response.json()).toEqual({ bytes: 4_613_735, sent: '12000000' });
  });

  it('answers 500 in its words to an answer over 6 MB', async () => {
    const url = await open(() => ({ statusCode: 200, body: '"'.repeat(3_500_000) }), 'aws');
    const response = await fetch(`${url}/things/1`);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ message: 'Internal Server Error' });
  });
});
