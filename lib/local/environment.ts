import { randomBytes } from 'node:crypto';
import { devNull } from 'node:os';
import { encodeRoutes } from '#lib/http/router.ts';
import type { Route } from '../http/router.ts';
import type { DynamoDbAccess } from './dynamodb.ts';

/** Models are not embedded. Users may configure Bedrock for the local run with these variables. */
const modelVariables: ReadonlySet<string> = new Set(['AWS_BEARER_TOKEN_BEDROCK', 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME']);

/**
 * Sets the variables that CDK sets on a deployed function, and points the SDK at the embedded engines. Other AWS
 * variables are deleted, because a profile, a proxy or a FIPS switch could send calls elsewhere. Call it before any
 * function is loaded.
 */
export function setFunctionEnvironment(access: DynamoDbAccess, tableName: string, routes: readonly Route[]): void {
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('AWS_') && !modelVariables.has(name)) delete process.env[name];
  }
  Object.assign(process.env, {
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_ENDPOINT_URL_DYNAMODB: access.endpoint,
    AWS_REGION: access.region,
    AWS_ACCESS_KEY_ID: access.accessKeyId,
    AWS_SECRET_ACCESS_KEY: access.secretAccessKey,
    TABLE_NAME: tableName,
    ROUTES: encodeRoutes(routes),
    LOOPBACK_ORIGINS: 'on',
    WEBHOOK_LOOPBACK: 'on',
    LOCAL_SECRET: randomBytes(32).toString('hex'),
  });
}

const sharedSettings = ['AI_MODEL', 'AI_MODELS', 'CONVERSATION_DAYS', 'RESPONSE_DAYS'] as const;

/** The settings of a service that its commands follow: the models that agents may name, how long records are kept. */
export type SharedEnvironment = Readonly<Partial<Record<(typeof sharedSettings)[number], string | undefined>>>;

export const sharedEnvironment = (): SharedEnvironment =>
  Object.fromEntries(sharedSettings.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));

/** Sets those of another service, whose records this process reads and writes. */
export function setSharedEnvironment(settings: SharedEnvironment): void {
  for (const name of sharedSettings) {
    if (settings[name] === undefined) delete process.env[name];
    else process.env[name] = settings[name];
  }
}

/** Sets the sender of mail, and the server in place of Amazon SES. @returns the sender */
export function setMailEnvironment(endpoint: string): string {
  const mailFrom = 'no-reply@workspace.example';
  Object.assign(process.env, { AWS_ENDPOINT_URL_SESV2: endpoint, MAIL_FROM: mailFrom });
  return mailFrom;
}

/** Sets the bucket, and the server in place of Amazon S3. */
export function setFilesEnvironment({
  endpoint,
  bucket,
}: {
  readonly endpoint: string;
  readonly bucket: string;
}): void {
  Object.assign(process.env, { AWS_ENDPOINT_URL_S3: endpoint, FILES_BUCKET: bucket });
}

/** Sets the addresses of the service, of uploaded files and of the issuer. Call it after the front listens. */
export function setAddresses(url: string, issuer: Readonly<Record<string, string>> = {}): void {
  Object.assign(process.env, { ASSET_BASE_URL: url, PUBLIC_URL: url, ...issuer });
}
