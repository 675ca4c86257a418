import * as http from 'node:http';
import * as https from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '#lib/table/errors.ts';
import { signedHeaders } from './signed-headers.ts';

/** A caller waits for this beside the reads of its request, which have less than three seconds. */
const deadlineMilliseconds = 2_000;
const triesMax = 3;

export type SecretReader = () => Promise<string>;

/**
 * Reads a secret of Secrets Manager once for the life of the container; a failed read is tried again by the next caller.
 * It signs the call itself: the SDK's client is 300 KB more in a function that needs no other.
 * @throws Unavailable when it cannot be read within two seconds
 */
export function secretReader(arn: string): SecretReader {
  let known: Promise<string> | undefined;
  return () => {
    known ??= readSecret(arn).catch((cause) => {
      known = undefined;
      throw new Unavailable('A secret cannot be read.', { cause });
    });
    return known;
  };
}

async function readSecret(arn: string): Promise<string> {
  const signal = AbortSignal.timeout(deadlineMilliseconds);
  for (let attempt = 1; ; attempt++) {
    try {
      return await askOnce(arn, signal);
    } catch (error) {
      if (attempt === triesMax || signal.aborted) throw error;
      await pause(Math.random() * 50 * 2 ** attempt, undefined, { signal });
    }
  }
}

async function askOnce(arn: string, signal: AbortSignal): Promise<string> {
  const [, , , region = ''] = arn.split(':');
  const body = JSON.stringify({ SecretId: arn });
  const url = endpointIn(region);
  const call = { url, service: 'secretsmanager', region, target: 'secretsmanager.GetSecretValue', body };
  const headers = signedHeaders(call, credentials());
  const { promise: answered, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const { request } = url.protocol === 'http:' ? http : https;
  request(url, { method: 'POST', headers, signal }, resolve).on('error', reject).end(body);
  const answer = await answered;
  const answerText = await text(answer);
  if (answer.statusCode !== 200) throw new Error(`Secrets Manager answered ${answer.statusCode}: ${answerText}`);
  const { SecretString } = JSON.parse(answerText) as { SecretString?: unknown };
  if (typeof SecretString !== 'string') throw new Error('The secret holds no text.');
  return SecretString;
}

function endpointIn(region: string): URL {
  const { AWS_ENDPOINT_URL_SECRETS_MANAGER: own, AWS_ENDPOINT_URL: common } = process.env;
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return new URL(own ?? common ?? `https://secretsmanager.${region}.${domain}`);
}

/** Lambda hands a function those of its role. */
const credentials = () => ({
  accessKeyId: process.env['AWS_ACCESS_KEY_ID'] ?? '',
  secretAccessKey: process.env['AWS_SECRET_ACCESS_KEY'] ?? '',
  sessionToken: process.env['AWS_SESSION_TOKEN'],
});
