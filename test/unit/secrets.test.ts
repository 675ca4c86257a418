import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SignatureV4 } from '@smithy/signature-v4';
import { openAiKey } from '#lib/ai/openai/ask-server.ts';
import { readSecret } from '#lib/secrets/read-secret.ts';
import { Secret } from '#lib/secrets/secret.ts';
import { signedHeaders } from '#lib/secrets/signed-headers.ts';
import { Unavailable } from '#lib/table/errors.ts';
import { SecretsManager, secretArn } from '#test/support/secrets-manager.ts';

const arn = secretArn('tested');
const accessKeyId = 'AKIDEXAMPLE';
const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';

/** The hash function that the SDK's signer needs. */
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

let manager: SecretsManager;
let before: NodeJS.ProcessEnv;

beforeEach(async () => {
  before = { ...process.env };
  manager = await SecretsManager.start({ [arn]: 's3cret' });
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: 'token+of/a=role',
  });
});

afterEach(async () => {
  process.env = before;
  await manager.stop();
});

describe('the reading of a secret', () => {
  it('sends the same signed request as the SDK', async () => {
    expect(await readSecret(arn, 'AWSCURRENT')).toBe('s3cret');
    const client = new SecretsManagerClient({ region: 'eu-west-1' });
    await client.send(new GetSecretValueCommand({ SecretId: arn, VersionStage: 'AWSCURRENT' }));
    const [own, theirs] = manager.calls;
    if (!own || !theirs) throw new Error('One of the two calls did not arrive.');
    expect(own.body).toBe(theirs.body);
    for (const name of ['content-type', 'x-amz-target', 'x-amz-security-token', 'host'] as const) {
      expect(own.headers[name]).toBe(theirs.headers[name]);
    }
    const [, names = ''] = /SignedHeaders=([^,]+)/.exec(own.headers.authorization ?? '') ?? [];
    expect(names.split(';')).toEqual(['content-type', 'host', 'x-amz-date', 'x-amz-security-token', 'x-amz-target']);
  });

  it.each([[undefined], ['token+of/a=role']])(
    'has the signature of the SDK, with the session token %s',
    async (sessionToken) => {
      const url = new URL('https://secretsmanager.eu-west-1.amazonaws.com');
      const body = JSON.stringify({ SecretId: arn });
      const scope = { service: 'secretsmanager', region: 'eu-west-1' };
      const now = new Date('2026-01-02T03:04:05.678Z');
      const given = { accessKeyId, secretAccessKey, sessionToken };
      const call = { url, ...scope, target: 'secretsmanager.GetSecretValue', body };
      const own = signedHeaders({ ...call, jsonVersion: '1.1' }, given, now);
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

  it('finds no version where none has the label', async () => {
    expect(await readSecret(arn, 'AWSPREVIOUS')).toBeUndefined();
    expect(manager.calls).toHaveLength(1);
  });

  it('is repeated after two errors', async () => {
    manager.fault = (response) => {
      response.writeHead(500).end('{}');
      if (manager.calls.length === 2) manager.fault = undefined;
    };
    expect(await readSecret(arn, 'AWSCURRENT')).toBe('s3cret');
  });
});

describe('a secret', () => {
  it('is read once for all callers, and only its current value', async () => {
    const secret = new Secret(arn);
    expect(await Promise.all([secret.values(), secret.values()])).toEqual([['s3cret'], ['s3cret']]);
    expect(await secret.values()).toEqual(['s3cret']);
    expect(manager.calls).toHaveLength(1);
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['answers errors', (response) => response.writeHead(400).end('{"__type":"AccessDeniedException"}')],
    ['answers no text', (response) => response.end('{}')],
    ['breaks the connection', (response) => response.destroy()],
    ['does not answer', () => undefined],
    ['stalls in its answer', (response) => response.write('{"SecretString":"s3')],
  ])('is unavailable while Secrets Manager %s, and is read again later', async (_, fail) => {
    manager.fault = fail;
    const secret = new Secret(arn);
    await expect(secret.values()).rejects.toThrow(Unavailable);
    manager.fault = undefined;
    expect(await secret.values()).toEqual(['s3cret']);
  });

  it('has the current and the previous value after a rotation, once it is read again', async () => {
    const secret = new Secret(arn);
    await secret.values();
    manager.rotate(arn, 'n3w');
    expect(await secret.values()).toEqual(['s3cret']);
    expect(await secret.reread()).toEqual(['n3w', 's3cret']);
    expect(await secret.values()).toEqual(['n3w', 's3cret']);
  });

  it('is read again once for any number of wrong values within ten seconds', async () => {
    const secret = new Secret(arn);
    await secret.values();
    await Promise.all(Array.from({ length: 50 }, () => secret.reread()));
    for (let guess = 0; guess < 50; guess++) await secret.reread();
    expect([manager.readings(arn, 'AWSCURRENT'), manager.readings(arn, 'AWSPREVIOUS')]).toEqual([2, 1]);
  });

  it('keeps its last value when a read fails', async () => {
    const secret = new Secret(arn);
    await secret.values();
    manager.fault = (response) => response.writeHead(500).end('{}');
    await expect(secret.reread()).rejects.toThrow(Unavailable);
    expect(await secret.values()).toEqual(['s3cret']);
    manager.fault = undefined;
    manager.rotate(arn, 'n3w');
    const later = Date.now() + 10_000;
    jest.spyOn(Date, 'now').mockReturnValue(later);
    const values = secret.reread();
    jest.restoreAllMocks();
    expect(await values).toEqual(['n3w', 's3cret']);
  });
});

describe('the key of a model server', () => {
  const settings = { apiKey: undefined, apiKeySecret: arn };

  it('is read again when the server refuses it, and not before', async () => {
    expect(await openAiKey(settings)).toBe('s3cret');
    manager.rotate(arn, 'n3w\n');
    expect(await openAiKey(settings)).toBe('s3cret');
    expect(await openAiKey(settings, 's3cret')).toBe('n3w');
    expect(await openAiKey(settings)).toBe('n3w');
    // A broken connection causes another read.
    const readings = manager.readings(arn, 'AWSPREVIOUS');
    expect(readings).toBeGreaterThan(0);
    // A second caller with the old key gets the new one without another read.
    expect(await openAiKey(settings, 's3cret')).toBe('n3w');
    expect(manager.readings(arn, 'AWSPREVIOUS')).toBe(readings);
  });
});
