import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SignatureV4 } from '@smithy/signature-v4';
import { secretReader } from '#lib/secrets/secret-reader.ts';
import { signedHeaders } from '#lib/secrets/signed-headers.ts';
import { Unavailable } from '#lib/table/errors.ts';

const arn = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:origin-AbCdEf';
const accessKeyId = 'AKIDEXAMPLE';
const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';

/** The hash that the SDK's signer asks for. */
class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as string);
  }

  reset(): void {}

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

interface Arrived {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let server: Server;
let arrived: Arrived[];
let answer: (response: ServerResponse, attempt: number) => unknown;
let before: NodeJS.ProcessEnv;

const secret = (value: unknown) => (response: ServerResponse) => response.end(JSON.stringify({ SecretString: value }));

beforeEach(async () => {
  arrived = [];
  answer = secret('s3cret');
  server = createServer(async (request, response) => {
    arrived.push({ headers: request.headers, body: await text(request) });
    answer(response, arrived.length);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  before = { ...process.env };
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: 'token+of/a=role',
  });
});

afterEach(async () => {
  process.env = before;
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

describe('a secret', () => {
  it('is asked for as the SDK asks, with the same signature', async () => {
    expect(await secretReader(arn)()).toBe('s3cret');
    const client = new SecretsManagerClient({ region: 'eu-west-1' });
    await client.send(new GetSecretValueCommand({ SecretId: arn }));
    const [own, theirs] = arrived as [Arrived, Arrived];
    expect(own.body).toBe(theirs.body);
    for (const name of ['content-type', 'x-amz-target', 'x-amz-security-token', 'host'] as const) {
      expect(own.headers[name]).toBe(theirs.headers[name]);
    }
    const [, names = ''] = /SignedHeaders=([^,]+)/.exec(own.headers.authorization ?? '') ?? [];
    expect(names.split(';')).toEqual(['content-type', 'host', 'x-amz-date', 'x-amz-security-token', 'x-amz-target']);
  });

  it.each([[undefined], ['token+of/a=role']])(
    'is signed as the SDK signs, with the session token %s',
    async (sessionToken) => {
      const url = new URL('https://secretsmanager.eu-west-1.amazonaws.com');
      const body = JSON.stringify({ SecretId: arn });
      const scope = { service: 'secretsmanager', region: 'eu-west-1' };
      const now = new Date('2026-01-02T03:04:05.678Z');
      const given = { accessKeyId, secretAccessKey, sessionToken };
      const own = signedHeaders({ url, ...scope, target: 'secretsmanager.GetSecretValue', body }, given, now);
      const { authorization: _, ...unsigned } = own;
      const credentials = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
      const signer = new SignatureV4({ ...scope, credentials, sha256: Sha256, applyChecksum: false });
      const request = {
        protocol: 'https:',
        hostname: url.host,
        method: 'POST',
        path: '/',
        headers: unsigned,
        query: {},
        body,
      };
      const { headers } = await signer.sign(request, { signingDate: now });
      expect(own['authorization']).toBe(headers['authorization']);
    },
  );

  it('is read once, for all who ask', async () => {
    const read = secretReader(arn);
    expect(await Promise.all([read(), read()])).toEqual(['s3cret', 's3cret']);
    expect(await read()).toBe('s3cret');
    expect(arrived).toHaveLength(1);
  });

  it('is asked for again when the first answers are errors', async () => {
    answer = (response, attempt) => (attempt < 3 ? response.writeHead(500).end('{}') : secret('late')(response));
    expect(await secretReader(arn)()).toBe('late');
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['answers errors', (response) => response.writeHead(400).end('{"__type":"AccessDeniedException"}')],
    ['answers no text', secret(undefined)],
    ['breaks the connection', (response) => response.destroy()],
    ['does not answer', () => undefined],
  ])('is unavailable within two seconds when Secrets Manager %s, and asked for again later', async (_, fail) => {
    answer = fail;
    const read = secretReader(arn);
    const startedAt = performance.now();
    await expect(read()).rejects.toThrow(Unavailable);
    expect(performance.now() - startedAt).toBeLessThan(2_500);
    answer = secret('well again');
    expect(await read()).toBe('well again');
  });
});
