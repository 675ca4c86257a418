import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { startS3 } from '#lib/local/s3/s3-server.ts';
import { noFunctions, TestFront } from '#test/support/local-front.ts';

const pace = { windowMilliseconds: 200, bytesMin: 100 };
const fast = `${'x'.repeat(200)}`;
let front: TestFront | undefined;

afterEach(() => front?.stop());

/** Answers every request 401 without a look at its body. */
const refusing = { ...noFunctions, invoke: async () => ({ statusCode: 401, body: '{}' }) };

async function send(port: number, bytes: string): Promise<{ socket: Socket; answers: Promise<string> }> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const pieces: Buffer[] = [];
  socket.on('data', (piece) => pieces.push(piece));
  // A reset of the connection takes nothing away that has arrived.
  const answers = new Promise<string>((resolve) => {
    socket.once('close', () => resolve(Buffer.concat(pieces).toString()));
  });
  await once(socket, 'connect');
  socket.write(bytes);
  return { socket, answers };
}

/** Sends a piece again and again until the connection ends. @returns all that was answered */
async function trickle(port: number, head: string, piece: string): Promise<string> {
  const { socket, answers } = await send(port, head);
  const timer = setInterval(() => socket.write(piece), 20);
  try {
    return await answers;
  } finally {
    clearInterval(timer);
    socket.destroy();
  }
}

const statuses = (raw: string) => [...raw.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
const head = (line: string, ...headers: string[]) => `${[line, 'Host: x', ...headers].join('\r\n')}\r\n\r\n`;
const json = 'Content-Type: application/json';
const multipart = 'Content-Type: multipart/form-data; boundary=b';

describe('a body that arrives too slowly', () => {
  it.each([
    ['of JSON', head('PUT /things/1 HTTP/1.1', json, 'Content-Length: 90000'), '{'],
    ['in chunks', head('PUT /things/1 HTTP/1.1', json, 'Transfer-Encoding: chunked'), '1\r\n{\r\n'],
    ['of a GET', head('GET /things/1 HTTP/1.1', 'Content-Length: 90000'), 'a'],
    ['of a file', head('POST /files HTTP/1.1', multipart, 'Content-Length: 90000'), '-'],
    ['without a route', head('DELETE /nowhere HTTP/1.1', 'Content-Length: 90000'), '\0'],
    ['after 100 Continue', head('PUT /things/1 HTTP/1.1', 'Content-Length: 90000', 'Expect: 100-continue'), 'ض'],
  ])('%s gets 408, and its connection ends', async (_, request, piece) => {
    front = await TestFront.over(refusing, 'ours', 0, { pace });
    const raw = await trickle(front.port, request, piece);
    expect(statuses(raw).at(-1)).toBe(408);
    expect(raw).toContain('"request_timeout"');
  });

  it('gets its answer if it arrives fast enough', async () => {
    front = await TestFront.over(refusing, 'ours', 0, { pace });
    const { socket, answers } = await send(front.port, head('PUT /things/1 HTTP/1.1', 'Content-Length: 10000'));
    for (let sent = 0; sent < 10_000; sent += fast.length) {
      socket.write(fast);
      await delay(10);
    }
    socket.end();
    expect(statuses(await answers)).toEqual([401]);
  });

  it('does not keep others from their answers, however many there are', async () => {
    front = await TestFront.over(refusing, 'ours', 0, { pace });
    const { port } = front;
    const request = head('POST /things/1 HTTP/1.1', json, 'Content-Length: 90000');
    const slow = Array.from({ length: 100 }, () => trickle(port, request, '['));
    expect((await fetch(`${front.url}/things/1`)).status).toBe(401);
    for (const raw of await Promise.all(slow)) expect(statuses(raw)).toEqual([408]);
  });
});

describe('a connection whose client still sends after its answer', () => {
  it('ends in bounded time, also in the embedded S3', async () => {
    const tooMuch = 'x'.repeat(1_048_577);
    const credentials = { accessKeyId: 'own', secretAccessKey: 'secret', region: 'us-east-1' };
    const s3 = await startS3({ ...credentials, bucket: 'files' });
    front = await TestFront.over(refusing, 'ours', 0, { pace: { windowMilliseconds: 60_000, bytesMin: 1 } });
    const { port } = front;
    const [toBucket, ofChunks] = ['PUT /files/a HTTP/1.1', 'PUT /things/1 HTTP/1.1'];
    const page = `GET /_local/engines HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 90000\r\n\r\n`;
    const answers = await Promise.all([
      trickle(port, head('PUT /things/1 HTTP/1.1', 'Content-Length: 90000000') + tooMuch, 'a'),
      trickle(port, `${head(ofChunks, 'Transfer-Encoding: chunked')}100001\r\n${tooMuch}\r\n`, '1\r\na\r\n'),
      trickle(port, page, 'a'),
      trickle(port, 'PUT /things/1 HTTP/1.1\r\nContent-Length: 90000\r\n\r\n', 'a'),
      trickle(Number(new URL(s3.endpoint).port), head(toBucket, 'Content-Length: 90000'), 'a'),
    ]);
    await s3.stop();
    expect(answers.map(statuses)).toEqual([[401], [401], [200], [400], [403]]);
  });

  it('stays open if the rest arrives soon', async () => {
    front = await TestFront.over(refusing);
    const length = 3_000_000;
    const { socket, answers } = await send(front.port, head('PUT /things/1 HTTP/1.1', `Content-Length: ${length}`));
    socket.write('x'.repeat(length));
    socket.write(head('PUT /things/2 HTTP/1.1', 'Content-Length: 1', 'Connection: close'));
    socket.end('x');
    expect(statuses(await answers)).toEqual([401, 401]);
  });

  it('ends if it sends more than it has declared', async () => {
    front = await TestFront.over(refusing);
    const request = head('PUT /things/1 HTTP/1.1', 'Content-Length: 2');
    expect(statuses(await trickle(front.port, `${request}{}`, '{"more":true}\r\n\r\n'))).toEqual([401, 400]);
  });
});
