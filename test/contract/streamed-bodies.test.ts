import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { encodeRoutes } from '#lib/http/router.ts';
import { functionUrlEvent } from '#lib/local/event.ts';
import { type Handler, openStream } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/posts',
  summary: 'A streamed answer to a body.',
  keyIn: ['bearer'],
  permissions: ['cms:entry:read'],
  query: z.object({}),
  body: z.strictObject({ text: z.string() }),
  bodyBytesMax: 65_536,
  response: z.unknown(),
  responseMode: 'streamed',
  uses: ['table:read'],
});

let handler: Handler;
let key: string;

beforeAll(async () => {
  // Read when the modules are imported.
  process.env['ROUTES'] = encodeRoutes([{ name: 'post', methods: endpoint.methods, path: endpoint.path }]);
  const { streamApi } = await import('#lib/http/stream-api.ts');
  handler = streamApi(endpoint, async ({ body }) => ({
    headers: {},
    body: (async function* () {
      yield body.text;
    })(),
  }));
  key = (await openWorkspace('kitchen')).keys.reader;
});

const requestOf = (body: string | Buffer, headers: Record<string, string> = {}) => ({
  method: 'POST',
  url: '/posts',
  headers: Object.entries({ authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers }),
  body: Buffer.from(body),
  sourceIp: '192.0.2.1',
  requestId: 'r',
  routeKey: '$default',
});

async function post(body: string | Buffer, headers?: Record<string, string>) {
  const { status, body: stream } = await openStream(handler, requestOf(body, headers));
  return { status, text: await text(stream) };
}

const bodyOf = (bytes: number) => JSON.stringify({ text: 'a'.repeat(bytes - '{"text":""}'.length) });

describe('the body of a streamed endpoint', () => {
  it('may have as many bytes as declared, and not one more', async () => {
    expect((await post(bodyOf(65_536))).status).toBe(200);
    const refused = await post(bodyOf(65_537));
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([413, { code: 'body_too_large' }]);
    expect(refused.text).toContain('64 KB');
  });

  it('is read from base64, as function URLs encode binary bodies', async () => {
    const request = requestOf('{"text":"نص"}', { 'content-type': 'model/gltf+json' });
    expect(functionUrlEvent(request).isBase64Encoded).toBe(true);
    expect(await text((await openStream(handler, request)).body)).toBe('نص');
  });

  it.each([
    ['{"text":1}', {}, 400, 'invalid_body'],
    ['{"text":"a","more":1}', {}, 400, 'invalid_body'],
    ['{', {}, 400, 'invalid_body'],
    ['', {}, 400, 'invalid_body'],
    ['{"text":"a"}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['{"text":"a"}', { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
    ['{"text":"a"}', { authorization: '' }, 401, 'missing_api_key'],
  ] as const)('is refused: %j with %j is %d %s', async (body, headers, status, code) => {
    const answer = await post(body, headers);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([status, { code }]);
  });
});
