import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { s3Client, testBucket } from '#test/support/files-client.ts';

const Bucket = testBucket();
const endpoint = process.env['AWS_ENDPOINT_URL_S3'] ?? '';
const client = s3Client({ requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' });
const own = {
  accessKeyId: process.env['AWS_ACCESS_KEY_ID'] ?? '',
  secretAccessKey: process.env['AWS_SECRET_ACCESS_KEY'] ?? '',
};
const Key = `test/${randomUUID()}/secret file.txt`;
const newKey = () => `test/${randomUUID()}`;

beforeAll(() => client.send(new PutObjectCommand({ Bucket, Key, Body: 'secret' })));

interface Change {
  readonly change?: (url: string) => string;
  readonly headers?: Record<string, string>;
  readonly method?: string;
}

/** The status and, for a failure, its code. */
async function outcome(response: Response | Promise<Response>): Promise<string> {
  const { status, ...rest } = await Promise.resolve(response).then(async (received) => ({
    status: received.status,
    code: /<Code>(\w+)<\/Code>/.exec(await received.text())?.[1] ?? '',
  }));
  return `${status} ${rest.code}`.trim();
}

const presignGet = (expiresIn = 60, more: object = {}) =>
  getSignedUrl(client, new GetObjectCommand({ Bucket, Key, ...more }), { expiresIn });

describe('a request that is signed by its headers', () => {
  const failure = (settings: Parameters<typeof s3Client>[0]) =>
    s3Client(settings)
      .send(new GetObjectCommand({ Bucket, Key }))
      .then(
        () => 'nothing',
        ({ name }) => name,
      );

  it.each([
    ['another secret', { credentials: { ...own, secretAccessKey: 'other' } }, 'SignatureDoesNotMatch'],
    ['another key', { credentials: { ...own, accessKeyId: 'other' } }, 'InvalidAccessKeyId'],
    ['another region', { region: 'eu-west-1' }, 'AuthorizationHeaderMalformed'],
    ['a clock that is wrong', { systemClockOffset: -20 * 60_000 }, 'RequestTimeTooSkewed'],
  ])('a request with %s in its signed headers is refused', async (_, settings, name) => {
    expect(await failure(settings)).toBe(name);
  });

  it.each<[string, Change]>([
    ['its address', { change: (url: string) => url.replace('secret', 'other') }],
    ['a header', { headers: { 'x-amz-date': '20260101T000000Z' } }],
    ['a header that changes its meaning', { headers: { 'x-amz-copy-source': '/a/b' } }],
    ['its method', { method: 'DELETE' }],
  ])('is refused when %s was changed', async (_, { change = (url: string) => url, headers = {}, method = 'GET' }) => {
    const signed = await signedRequest();
    const answer = await outcome(fetch(change(signed.url), { method, headers: { ...signed.headers, ...headers } }));
    expect(answer).toMatch(/^403 /);
    expect(await outcome(fetch(signed.url, { headers: signed.headers }))).toBe('200');
  });

  it('is refused when its body was changed', async () => {
    const key = newKey();
    const signed = await signedRequest(new PutObjectCommand({ Bucket, Key: key, Body: 'original' }));
    const put = (body: string) => outcome(fetch(signed.url, { method: 'PUT', headers: signed.headers, body }));
    expect(await put('tampered')).toBe('400 XAmzContentSHA256Mismatch');
    await expect(client.send(new HeadObjectCommand({ Bucket, Key: key }))).rejects.toThrow();
    expect(await put('original')).toBe('200');
  });

  /** The request of the SDK, captured before it is sent. */
  async function signedRequest(command: GetObjectCommand | PutObjectCommand = new GetObjectCommand({ Bucket, Key })) {
    let caught: { url: string; headers: Record<string, string> } | undefined;
    const catching = s3Client();
    catching.middlewareStack.add(
      () =>
        async ({ request }) => {
          const { path, headers, query } = request as { path: string; headers: Record<string, string>; query: object };
          const url = `${endpoint}${path}?${new URLSearchParams(Object.entries(query))}`;
          const { host: _, 'content-length': __, ...sent } = headers;
          caught = { url, headers: sent };
          throw new Error('caught');
        },
      { step: 'finalizeRequest', priority: 'low' },
    );
    await (catching.send as (command: object) => Promise<unknown>)(command).catch(() => undefined);
    if (!caught) throw new Error('Nothing was signed.');
    return caught;
  }
});

describe('an address that is signed', () => {
  it('works for any client, but only for the signed request', async () => {
    const url = await presignGet();
    expect(await (await fetch(url)).text()).toBe('secret');
  });

  it.each([
    ['another key', (url: string) => url.replace('secret%20file', 'other')],
    ['a longer life', (url: string) => url.replace('X-Amz-Expires=60', 'X-Amz-Expires=600')],
    ['another time', (url: string) => url.replace(/X-Amz-Date=\d{8}T\d{6}Z/, 'X-Amz-Date=20990101T000000Z')],
    ['another parameter', (url: string) => `${url}&response-content-type=text%2Fhtml`],
    [
      'another signature',
      (url: string) => url.replace(/(?<=X-Amz-Signature=)./, (character) => (character === '0' ? '1' : '0')),
    ],
    ['no signature', (url: string) => url.replace(/&X-Amz-Signature=\w+/, '')],
    ['nothing at all', (url: string) => url.split('?')[0] ?? ''],
  ])('is refused with %s', async (_, change) => {
    const url = await presignGet();
    expect(change(url)).not.toBe(url);
    expect(await outcome(fetch(change(url)))).toMatch(/^403 /);
  });

  it('is refused for another method, and beside another way to sign', async () => {
    const url = await presignGet();
    expect(await outcome(fetch(url, { method: 'DELETE' }))).toBe('403 SignatureDoesNotMatch');
    expect(await outcome(fetch(url, { headers: { authorization: 'AWS4-HMAC-SHA256 x' } }))).toBe('400 InvalidArgument');
  });

  it('works until its time is over', async () => {
    const url = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key }), {
      expiresIn: 60,
      signingDate: new Date(Date.now() - 61_000),
    });
    expect(await outcome(fetch(url))).toBe('403 AccessDenied');
    expect(await outcome(fetch((await presignGet()).replace('X-Amz-Expires=60', 'X-Amz-Expires=604801')))).toBe(
      '400 AuthorizationQueryParametersError',
    );
  });

  it('takes a file of the promised size and type, once', async () => {
    const put = new PutObjectCommand({ Bucket, Key: newKey(), ContentLength: 5, ContentType: 'a/b', IfNoneMatch: '*' });
    const signableHeaders = new Set(['content-type', 'content-length', 'if-none-match', 'host']);
    const url = await getSignedUrl(client, put, { signableHeaders });
    const send = (body: string, headers: Record<string, string>) =>
      outcome(fetch(url, { method: 'PUT', body, headers }));
    const headers = { 'content-type': 'a/b', 'if-none-match': '*' };
    expect(await send('123456', headers)).toBe('403 SignatureDoesNotMatch');
    expect(await send('1234', headers)).toBe('403 SignatureDoesNotMatch');
    expect(await send('12345', { ...headers, 'content-type': 'text/html' })).toBe('403 SignatureDoesNotMatch');
    expect(await send('12345', { 'content-type': 'a/b' })).toBe('403 SignatureDoesNotMatch');
    expect(await send('12345', headers)).toBe('200');
    expect(await send('54321', headers)).toBe('412 PreconditionFailed');
    const stored = await client.send(new GetObjectCommand({ Bucket, Key: put.input.Key }));
    expect(await stored.Body?.transformToString()).toBe('12345');
  });

  it('takes nothing of a body that breaks off or has no length', async () => {
    const put = new PutObjectCommand({ Bucket, Key: newKey() });
    const url = new URL(await getSignedUrl(client, put));
    const head = `PUT ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n`;
    const socket = connect(Number(url.port), url.hostname);
    socket.end(`${head}Content-Length: 10\r\n\r\nhalf`);
    await text(socket);
    const chunked = connect(Number(url.port), url.hostname);
    chunked.write(`${head}Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n`);
    expect(await text(chunked)).toMatch(/^HTTP\/1.1 411 [\s\S]*MissingContentLength/);
    await expect(client.send(new HeadObjectCommand({ Bucket, Key: put.input.Key }))).rejects.toThrow();
  });
});

describe('a page in a browser', () => {
  it('may put a file straight into the bucket', async () => {
    const url = await getSignedUrl(client, new PutObjectCommand({ Bucket, Key: newKey() }));
    const origin = 'https://shop.example';
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' },
    });
    expect(preflight.status).toBe(200);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': expect.stringContaining('PUT'),
      'access-control-allow-headers': 'content-type',
    });
    const put = await fetch(url, { method: 'PUT', body: 'x', headers: { origin } });
    expect([put.status, put.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(put.headers.get('access-control-expose-headers')).toContain('ETag');
  });
});

describe('a request that S3 does not support', () => {
  it.each([
    ['GET', '/'],
    ['GET', `/${Bucket}`],
    ['GET', `/${Bucket}/%zz`],
    ['GET', `/${Bucket}/a?X-Amz-Signature`],
    ['PUT', `/${Bucket}/../../etc/passwd`],
    ['POST', `/${Bucket}?delete`],
    ['PATCH', `/${Bucket}/a`],
    ['TRACE', `/${Bucket}/a`],
  ])('is refused: %s %s', async (method, path) => {
    const { hostname, port } = new URL(endpoint);
    const socket = connect(Number(port), hostname);
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 40[03] [\s\S]*<Error><Code>\w+<\/Code>/);
  });
});
