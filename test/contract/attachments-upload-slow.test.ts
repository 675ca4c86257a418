import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { watchPace } from '#lib/http/web.ts';
import { UploadServer } from '#test/support/upload-server.ts';
import { openWorkspace } from '#test/support/workspace.ts';

let key: string;
let weakKey: string;
let server: UploadServer;
beforeAll(async () => {
  const room = await openWorkspace('chat');
  key = room.key;
  weakKey = `none-${room.workspaceId}`;
  server = await UploadServer.start({ windowMilliseconds: 300, bytesMin: 1_000 });
});
afterAll(() => server.stop());

/** Sends a byte at intervals until the connection is closed. @returns the server's answer until then */
async function trickle(socket: Socket, first = ''): Promise<string> {
  let answer = '';
  socket.on('data', (piece) => {
    answer += piece;
  });
  // The connection may also end with a reset, which is no failure here.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(first);
  const timer = setInterval(() => socket.write('x'), 50);
  await closed;
  clearInterval(timer);
  return answer;
}

/** Hands over no answer before so many bytes have been taken from it, as a Lambda web function's front does. */
async function halfDuplexProxy(port: number, bytes: number): Promise<Server> {
  const proxy = createTcpServer((client) => {
    const upstream = connect(port, '127.0.0.1').on('error', () => undefined);
    const held: Buffer[] = [];
    let taken = 0;
    client.on('data', (chunk: Buffer) => {
      upstream.write(chunk, (error) => {
        if (!error) taken += chunk.length;
      });
    });
    upstream.on('data', (chunk: Buffer) => held.push(chunk));
    upstream.on('close', () => {
      const isWhole = taken >= bytes;
      client.end(isWhole ? Buffer.concat(held) : 'HTTP/1.1 504 Gateway Timeout\r\n\r\n');
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return proxy;
}

const file =
  '--x\r\nContent-Disposition: form-data; name="files"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n';

describe('a slow body', () => {
  it('that is refused is answered before it has arrived, and the connection is closed', async () => {
    const refusals = [
      { secret: 'nobody-has-ever-had-this-key', length: 200_000_000, status: 401 },
      { secret: weakKey, length: 200_000_000, status: 403 },
      { secret: key, length: 300_000_000, status: 413 },
    ];
    const answers = refusals.map(async ({ secret, length }) =>
      trickle(await server.open(secret, [`Content-Length: ${length}`], 'multipart/form-data; boundary=x'), 'x'),
    );
    for (const [index, answer] of (await Promise.all(answers)).entries()) {
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${refusals[index]?.status} `));
      expect(answer).toMatch(/connection: close/i);
      expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toHaveProperty('code');
    }
  });

  it('that a half-duplex proxy sends is read to its end, so that its client gets the refusal', async () => {
    const body = Buffer.alloc(24_000_000);
    const proxy = await halfDuplexProxy(server.port, body.length);
    const socket = connect((proxy.address() as AddressInfo).port, '127.0.0.1');
    let answer = '';
    socket.on('data', (piece) => {
      answer += piece;
    });
    const lines = ['POST /api/v1/connect/attachments HTTP/1.1', 'Host: x', 'Authorization: Bearer nobody-has-this-key'];
    const head = [...lines, 'Content-Type: multipart/form-data; boundary=x', `Content-Length: ${body.length}`, '', ''];
    socket.write(head.join('\r\n'));
    socket.write(body);
    await once(socket, 'close');
    proxy.close();
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('a body with a valid key is cut when it is almost at a standstill', async () => {
    const socket = await server.open(key, ['Content-Length: 100000000'], 'multipart/form-data; boundary=x');
    expect(await trickle(socket, file)).toBe('');
    await server.settled();
  });
});

it('a small refused body leaves the connection open for the next request', async () => {
  const socket = await server.open('nobody-has-ever-had-this-key', ['Content-Length: 5'], 'multipart/form-data');
  socket.write('hello');
  const [first] = await once(socket, 'data');
  expect(String(first)).toMatch(/^HTTP\/1.1 401 /);
  socket.destroy();
});

it('a body that waits for the service is not cut, however slow the service is', async () => {
  const taken = Promise.withResolvers<number>();
  const slow = createServer(async (request, response) => {
    const watch = watchPace(request, { windowMilliseconds: 50, bytesMin: 1 }, () => request.destroy());
    await pause(400);
    let length = 0;
    for await (const chunk of request) length += chunk.length;
    watch.stop();
    taken.resolve(length);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(slow, 'listening');
  const socket = connect((slow.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(100_000)}`);
  expect(await taken.promise).toBe(100_000);
  slow.close();
  socket.destroy();
});
