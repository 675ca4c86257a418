import { devNull } from 'node:os';
import type { Route } from '../http/router.ts';
import type { DynamoDbAccess } from './dynamodb.ts';

/**
 * Sets what CDK sets on a deployed function, and points the SDK at the embedded engines. Whatever else the machine
 * says about AWS is put aside: a profile, a proxy or a FIPS switch of the person at the keyboard must not lead our
 * calls elsewhere. It has to happen before any function is loaded.
 */
export function setFunctionEnvironment(access: DynamoDbAccess, tableName: string, routes: readonly Route[]): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, {
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_ENDPOINT_URL_DYNAMODB: access.endpoint,
    AWS_REGION: access.region,
    AWS_ACCESS_KEY_ID: access.accessKeyId,
    AWS_SECRET_ACCESS_KEY: access.secretAccessKey,
    TABLE_NAME: tableName,
    ROUTES: JSON.stringify(routes),
  });
}
