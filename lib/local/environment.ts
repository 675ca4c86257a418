import { devNull } from 'node:os';
import { encodeRoutes } from '#lib/http/route-table.ts';
import type { Route } from '../http/router.ts';
import type { DynamoDbAccess } from './dynamodb.ts';

/** Models are not embedded: who wants those of Bedrock in the local run says where they are, and gives their own key. */
const ofModels: ReadonlySet<string> = new Set(['AWS_BEARER_TOKEN_BEDROCK', 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME']);

/**
 * Sets what CDK sets on a deployed function, and points the SDK at the embedded engines. Whatever else the machine
 * says about AWS is put aside: a profile, a proxy or a FIPS switch of the person at the keyboard must not lead our
 * calls elsewhere. It has to happen before any function is loaded.
 */
export function setFunctionEnvironment(access: DynamoDbAccess, tableName: string, routes: readonly Route[]): void {
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('AWS_') && !ofModels.has(name)) delete process.env[name];
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
  });
}

/** Sender of mail, and the server that takes it instead of Amazon SES; as above. @returns the sender */
export function setMailEnvironment(endpoint: string): string {
  const mailFrom = 'no-reply@workspace.example';
  Object.assign(process.env, { AWS_ENDPOINT_URL_SESV2: endpoint, MAIL_FROM: mailFrom });
  return mailFrom;
}

/** The bucket, and the server that takes files instead of Amazon S3; as above. */
export function setFilesEnvironment({
  endpoint,
  bucket,
}: {
  readonly endpoint: string;
  readonly bucket: string;
}): void {
  Object.assign(process.env, { AWS_ENDPOINT_URL_S3: endpoint, FILES_BUCKET: bucket });
}

/** The address of the service, of uploaded files too, and of who signs members in; known once the front listens. */
export function setAddresses(url: string, issuer: Readonly<Record<string, string>> = {}): void {
  Object.assign(process.env, { ASSET_BASE_URL: url, PUBLIC_URL: url, ...issuer });
}
