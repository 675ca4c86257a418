import type { lookup } from 'node:dns';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { webhookTargets } from '#lib/webhooks/addresses.ts';
import { type Sending, sendWebhook } from '#lib/webhooks/send.ts';
import { secretText, signatureHeaders } from '#lib/webhooks/signature.ts';
import { authority, WebhookReceiver } from '#test/support/webhook-receiver.ts';

const { allows: allowsLocal } = webhookTargets({ WEBHOOK_LOOPBACK: 'on' });
const { allows: allowsDeployed } = webhookTargets({});
const body = JSON.stringify({ type: 'menu_product.updated', data: { name: 'جريش', price: 12.5 } });
const secrets = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(9)];
const headers = signatureHeaders({ id: 'evt_1', timestamp: Math.floor(Date.now() / 1_000), body, secrets });
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function receiver(certificate?: 'valid' | 'expired' | 'other-name', host?: string): Promise<WebhookReceiver> {
  const started = await WebhookReceiver.start(certificate, host);
  stops.push(() => started.stop());
  return started;
}

const send = (sending: Partial<Sending> & { readonly url: string }) =>
  sendWebhook({ headers, body, allows: allowsLocal, ...sending });

/** Resolves every name to the answers, one for each question; the last one is used again. */
function resolver(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const resolve = ((name: string, _: object, done: (error: null, found: object[]) => void) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(name);
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    setImmediate(() => done(null, found));
  }) as typeof lookup;
  return { asked, resolve };
}

/** What comes of a request to a receiver that answers so. */
async function outcomeOf(answer: RequestListener, more: Partial<Sending> = {}) {
  const started = await receiver();
  started.answer = answer;
  const { milliseconds, ...outcome } = await send({ url: `http://127.0.0.1:${started.port}/hook`, ...more });
  return { ...outcome, requests: started.received.length };
}

/** Sends to a server that does this with each connection. */
async function outcomeOfConnection(use: (socket: Socket) => void, protocol = 'http', more: Partial<Sending> = {}) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    use(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stops.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  const { milliseconds, ...outcome } = await send({ url: `${protocol}://127.0.0.1:${port}/hook`, ...more });
  return outcome;
}

describe('a request', () => {
  it('arrives as one POST of the body, which a receiver verifies with each of its secrets', async () => {
    const started = await receiver();
    const result = await send({ url: `http://127.0.0.1:${started.port}/hook?tenant=1%2F2` });
    expect(result).toEqual({ httpStatus: 204, error: null, milliseconds: expect.any(Number) });
    const [request] = started.received;
    expect(request).toMatchObject({ method: 'POST', path: '/hook?tenant=1%2F2', body });
    expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'workspace-api' });
    expect(request?.headers['content-length']).toBe(String(Buffer.byteLength(body)));
    const sent = request?.headers as Record<string, string>;
    for (const secret of secrets) expect(new Webhook(secretText(secret)).verify(body, sent)).toEqual(JSON.parse(body));
    expect(() => new Webhook(secretText(new Uint8Array(32))).verify(body, sent)).toThrow('No matching signature');
    expect(() => new Webhook(secretText(secrets[0] as Uint8Array)).verify(`${body} `, sent)).toThrow();
  });

  it.each([200, 201, 202, 299])('has succeeded with status %i', async (status) => {
    const outcome = await outcomeOf((_, response) => response.writeHead(status).end('thanks'));
    expect(outcome).toEqual({ httpStatus: status, error: null, requests: 1 });
  });

  it.each([301, 302, 303, 307, 308])('follows no redirect of status %i', async (status) => {
    const target = await receiver();
    const location = `http://127.0.0.1:${target.port}/`;
    const outcome = await outcomeOf((_, response) => response.writeHead(status, { location }).end());
    expect(outcome).toEqual({ httpStatus: status, error: 'http_status', requests: 1 });
    expect(target.received).toEqual([]);
  });

  it.each([304, 400, 401, 404, 410, 500, 502, 504])(
    'has failed with status %i, and reads no answer',
    async (status) => {
      const answer: RequestListener = (_, response) =>
        response.writeHead(status, { 'retry-after': '60' }).flushHeaders();
      expect(await outcomeOf(answer)).toEqual({ httpStatus: status, error: 'http_status', requests: 1 });
    },
  );

  it('uses no proxy of the environment', async () => {
    const proxy = await receiver();
    const before = { ...process.env };
    const url = `http://127.0.0.1:${proxy.port}`;
    Object.assign(process.env, {
      HTTP_PROXY: url,
      HTTPS_PROXY: url,
      ALL_PROXY: url,
      http_proxy: url,
      NODE_USE_ENV_PROXY: '1',
    });
    const http = await import('node:http');
    const restore = http.setGlobalProxyFromEnv({ HTTP_PROXY: url, HTTPS_PROXY: url });
    try {
      expect(await outcomeOf((_, response) => response.end())).toEqual({ httpStatus: 200, error: null, requests: 1 });
      expect(proxy.received).toEqual([]);
    } finally {
      restore();
      process.env = before;
    }
  });
});

describe('Retry-After', () => {
  const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toUTCString();

  it.each([
    [429, '0', 0],
    [429, '120', 120],
    [503, '86400', 86_400],
    [503, '86401', 86_400],
    [429, '99999999999', 86_400],
    [429, '9'.repeat(400), 86_400],
    [503, at(-3_600_000), 0],
    [503, at(7 * 86_400_000), 86_400],
    [429, 'Sunday, 06-Nov-94 08:49:37 GMT', 0],
  ])('of status %i and %p is %i seconds', async (status, value, seconds) => {
    const outcome = await outcomeOf((_, response) => response.writeHead(status, { 'retry-after': value }).end());
    expect(outcome).toEqual({ httpStatus: status, error: 'http_status', requests: 1, retryAfterSeconds: seconds });
  });

  it('may be a date', async () => {
    const answer: RequestListener = (_, response) => response.writeHead(503, { 'retry-after': at(3_600_000) }).end();
    const { retryAfterSeconds = 0 } = await outcomeOf(answer);
    expect(retryAfterSeconds).toBeGreaterThan(3_000);
    expect(retryAfterSeconds).toBeLessThanOrEqual(3_600);
  });

  it.each(['', 'soon', '-5', '1.5', '1e3', '0x10', '10, 20', '2027', 'Wed, 32 Foo 2026 00:00:00 GMT', 'tomorrow GMT'])(
    'is not read from %p',
    async (value) => {
      const outcome = await outcomeOf((_, response) => response.writeHead(429, { 'retry-after': value }).end());
      // A year alone is a number of seconds.
      const seconds = value === '2027' ? { retryAfterSeconds: 2_027 } : {};
      expect(outcome).toEqual({ httpStatus: 429, error: 'http_status', requests: 1, ...seconds });
    },
  );
});

describe('an answer', () => {
  it('has at most 64 KB', async () => {
    const size =
      (bytes: number): RequestListener =>
      (_, response) =>
        response.end(Buffer.alloc(bytes));
    expect(await outcomeOf(size(64 * 1024))).toMatchObject({ httpStatus: 200, error: null });
    expect(await outcomeOf(size(64 * 1024 + 1))).toMatchObject({ httpStatus: 200, error: 'too_large' });
    expect(await outcomeOf(size(1_000_000))).toMatchObject({ httpStatus: 200, error: 'too_large' });
  });

  it('that never ends is left when it is too long', async () => {
    const outcome = await outcomeOf((_, response) => {
      const more = () => response.write(Buffer.alloc(8_192)) && setImmediate(more);
      response.on('drain', more);
      more();
    });
    expect(outcome).toMatchObject({ httpStatus: 200, error: 'too_large' });
  });

  it('with headers of any length is left', async () => {
    const long = { 'x-long': 'a'.repeat(30_000) };
    expect(await outcomeOf((_, response) => response.writeHead(200, long).end())).toMatchObject({ error: 'too_large' });
  });

  it('of a compressed megabyte is not unpacked', async () => {
    const outcome = await outcomeOf((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.alloc(2_000));
    });
    expect(outcome).toMatchObject({ httpStatus: 200, error: null });
  });
});

describe('the deadline', () => {
  const soon = { deadlineMilliseconds: 200 };

  it.each<[string, RequestListener, number | null]>([
    ['never answers', () => undefined, null],
    ['sends a status and no end', (_, response) => response.writeHead(200).flushHeaders(), 200],
    ['drips its answer', (_, response) => void drip(() => response.write('.')), 200],
    [
      'drips its headers',
      ({ socket }) => socket.write('HTTP/1.1 200 OK\r\nx: ', () => drip(() => socket.write('a'))),
      null,
    ],
    ['says "continue" again and again', (_, response) => void drip(() => response.writeContinue()), null],
  ])('ends the request to a receiver that %s', async (_, answer, httpStatus) => {
    expect(await outcomeOf(answer, soon)).toEqual({ httpStatus, error: 'timeout', requests: 1 });
  });

  it('ends a request whose handshake, or name, is never answered', async () => {
    expect(await outcomeOfConnection(() => undefined, 'https', soon)).toEqual({ httpStatus: null, error: 'timeout' });
    const silent = (() => undefined) as unknown as typeof lookup;
    expect(await send({ url: 'https://hook.example/', resolve: silent, ...soon })).toMatchObject({ error: 'timeout' });
  });

  it('is not that of the caller, whose end is no result', async () => {
    const caller = new AbortController();
    const reason = new Error('The function ends.');
    const sent = outcomeOf(() => caller.abort(reason), { signal: caller.signal });
    await expect(sent).rejects.toBe(reason);
    await expect(send({ url: 'http://127.0.0.1:9/', signal: caller.signal })).rejects.toBe(reason);
  });
});

/** Repeats until the connection of the request is closed by the end of the test. */
const drip = (write: () => void): void => void setInterval(write, 20).unref();

describe('a broken connection', () => {
  const broken = { httpStatus: null, error: 'connection' };

  it('is one that nobody accepts', async () => {
    const started = await WebhookReceiver.start();
    const { port } = started;
    await started.stop();
    expect(await send({ url: `http://127.0.0.1:${port}/` })).toMatchObject(broken);
    expect(await send({ url: `https://127.0.0.1:${port}/` })).toMatchObject(broken);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['is reset', (socket) => socket.resetAndDestroy()],
    ['is reset after the request', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['ends without an answer', (socket) => socket.once('data', () => socket.end())],
    ['ends inside the headers', (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-l'))],
    [
      'has an answer of another protocol',
      (socket) => socket.once('data', () => socket.end('220 mail.example ESMTP\r\n')),
    ],
    [
      'changes its protocol',
      (socket) =>
        socket.once('data', () => socket.write('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')),
    ],
    [
      'has two lengths',
      (socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab')),
    ],
  ])('%s', async (_, use) => {
    expect(await outcomeOfConnection(use)).toEqual(broken);
  });

  it('can also end inside the answer', async () => {
    const cut = (socket: Socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'));
    expect(await outcomeOfConnection(cut)).toEqual({ httpStatus: 200, error: 'connection' });
  });

  it('that is reset inside the handshake is no fault of the certificate', async () => {
    expect(await outcomeOfConnection((socket) => socket.once('data', () => socket.resetAndDestroy()), 'https')).toEqual(
      broken,
    );
  });
});

describe('TLS', () => {
  const before = getCACertificates('default');
  beforeAll(() => setDefaultCACertificates([...before, authority]));
  afterAll(() => setDefaultCACertificates(before));

  const sendTo = (started: WebhookReceiver, host = 'hook.example') =>
    send({ url: `https://${host}:${started.port}/`, resolve: resolver(['127.0.0.1']).resolve });

  it('is verified for the name, although the address was resolved before', async () => {
    const started = await receiver('valid');
    expect(await sendTo(started)).toMatchObject({ httpStatus: 204, error: null });
    expect(await sendTo(started, '127.0.0.1')).toMatchObject({ httpStatus: 204, error: null });
    expect(started.received[0]?.headers.host).toBe(`hook.example:${started.port}`);
    expect(await sendTo(started, 'other.example')).toMatchObject({ httpStatus: null, error: 'tls' });
    expect(started.received).toHaveLength(2);
  });

  it.each(['expired', 'other-name'] as const)('sends nothing where the certificate is %s', async (certificate) => {
    const started = await receiver(certificate);
    expect(await sendTo(started)).toMatchObject({ httpStatus: null, error: 'tls' });
    expect(started.received).toEqual([]);
  });

  it('takes no certificate of an unknown authority, whatever the environment says', async () => {
    setDefaultCACertificates(before);
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect(await sendTo(await receiver('valid'))).toMatchObject({ httpStatus: null, error: 'tls' });
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      setDefaultCACertificates([...before, authority]);
    }
  });

  it('is not what a receiver of plain http speaks', async () => {
    const answer = (socket: Socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await outcomeOfConnection(answer, 'https')).toEqual({ httpStatus: null, error: 'tls' });
  });
});

describe('a name', () => {
  const blocked = { httpStatus: null, error: 'blocked_address' };

  it('that has another address at the second question gets the connection that was checked, or none', async () => {
    const started = await receiver(undefined, '127.0.0.1');
    const { asked, resolve } = resolver(['127.0.0.1'], ['127.0.0.2']);
    const targets = { allows: (address: string) => address === '127.0.0.1' };
    const url = `http://hook.example:${started.port}/`;
    // The connection uses the address that was checked, and asks no second time.
    expect(await send({ url, resolve, ...targets })).toMatchObject({ httpStatus: 204, error: null });
    expect(asked).toEqual(['hook.example']);
    expect(await send({ url, resolve, ...targets })).toMatchObject(blocked);
    expect(started.received).toHaveLength(1);
  });

  it.each([
    [['127.0.0.1']],
    [['8.8.8.8', '127.0.0.1']],
    [['127.0.0.1', '8.8.8.8']],
    [['2606:4700::1111', '::1']],
    [['::ffff:127.0.0.1']],
    [['169.254.169.254']],
    [['fd00:ec2::254', '8.8.4.4']],
    [['64:ff9b::7f00:1']],
    [['fe80::1%lo']],
  ])('that resolves to %j gets no connection', async (addresses) => {
    const started = await receiver();
    const { resolve } = resolver(addresses);
    const result = await send({ url: `https://hook.example:${started.port}/`, resolve, allows: allowsDeployed });
    expect(result).toMatchObject(blocked);
    expect(started.received).toEqual([]);
  });

  it('that is a number is checked, too, because nobody resolves it', async () => {
    const { port } = await receiver();
    for (const host of ['127.0.0.1', '127.1', '2130706433', '[::1]', '[::ffff:7f00:1]', 'localhost']) {
      expect(await send({ url: `http://${host}:${port}/`, allows: allowsDeployed })).toMatchObject(blocked);
    }
  });

  it('uses the next address where the first one accepts no connection', async () => {
    const started = await receiver(undefined, '127.0.0.1');
    const { resolve } = resolver(['::1', '127.0.0.1']);
    expect(await send({ url: `http://hook.example:${started.port}/`, resolve })).toMatchObject({ error: null });
  });

  it('that nobody can have has no address', async () => {
    expect(await send({ url: `https://${'a'.repeat(64)}.example/` })).toMatchObject({ httpStatus: null, error: 'dns' });
  });
});
