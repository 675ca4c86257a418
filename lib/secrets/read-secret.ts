import * as http from 'node:http';
import * as https from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { signedHeaders } from './signed-headers.ts';

// We sign the call ourselves, which a test compares with the SDK's signature. The SDK's client would add 14 KB to every
// function, and 300 KB to the one for unknown routes. An environment variable is not secret: every user who may list
// functions can read it.

/** The caller waits for this in parallel with the request's reads, which have less than three seconds. */
export const deadlineMilliseconds = 2_000;
const triesMax = 3;

/** The labels that Secrets Manager moves when a secret gets a new value. */
export type Stage = 'AWSCURRENT' | 'AWSPREVIOUS';

/**
 * Reads one version of a secret of AWS Secrets Manager.
 * @returns undefined when no version has this label
 * @throws when the secret cannot be read within two seconds
 */
export async function readSecret(arn: string, stage: Stage): Promise<string | undefined> {
  const signal = AbortSignal.timeout(deadlineMilliseconds);
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptRead(arn, stage, signal);
    } catch (error) {
      if (attempt === triesMax || signal.aborted) throw error;
      await pause(Math.random() * 50 * 2 ** attempt, undefined, { signal });
    }
  }
}

async function attemptRead(arn: string, stage: Stage, signal: AbortSignal): Promise<string | undefined> {
  const [, , , region = ''] = arn.split(':');
  const body = JSON.stringify({ SecretId: arn, VersionStage: stage });
  const url = endpointIn(region);
  const call = { url, service: 'secretsmanager', region, target: 'secretsmanager.GetSecretValue', body };
  const headers = signedHeaders({ ...call, jsonVersion: '1.1' }, credentials());
  const { promise: answered, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const { request } = url.protocol === 'http:' ? http : https;
  request(url, { method: 'POST', headers, signal }, resolve).on('error', reject).end(body);
  const answer = await answered;
  const answerText = await text(answer);
  if (answer.statusCode === 400 && answerText.includes('ResourceNotFoundException')) return undefined;
  if (answer.statusCode !== 200) throw new Error(`Secrets Manager answered ${answer.statusCode}: ${answerText}`);
  const { SecretString } = JSON.parse(answerText) as { SecretString?: unknown };
  if (typeof SecretString !== 'string') throw new Error('The secret is not a string.');
  return SecretString;
}

function endpointIn(region: string): URL {
  const { AWS_ENDPOINT_URL_SECRETS_MANAGER: own, AWS_ENDPOINT_URL: common } = process.env;
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return new URL(own ?? common ?? `https://secretsmanager.${region}.${domain}`);
}

/** Lambda puts the credentials of a function's role into its environment. */
const credentials = () => ({
  accessKeyId: process.env['AWS_ACCESS_KEY_ID'] ?? '',
  secretAccessKey: process.env['AWS_SECRET_ACCESS_KEY'] ?? '',
  sessionToken: process.env['AWS_SESSION_TOKEN'],
});
