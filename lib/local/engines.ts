import type { Route } from '../http/router.ts';
import type { DataDirectory } from './data-directory.ts';
import { type DynamoDbEngine, startDynamoDb } from './dynamodb.ts';
import { setFilesEnvironment, setFunctionEnvironment } from './environment.ts';
import type { LocalPages } from './local-pages.ts';
import { startMail } from './mail.ts';
import { filesBucket, type S3Engine, startS3 } from './s3/s3-server.ts';
import { tableName } from './table-name.ts';

export interface Engines {
  /** A running engine; await `ready` before the first call. */
  readonly dynamodb: DynamoDbEngine;
  readonly s3: S3Engine;
  readonly pages: LocalPages;
}

/** Starts the embedded engines, and sets the environment of functions that are loaded later. */
export async function startEngines(
  data: DataDirectory | undefined,
  routes: readonly Route[],
  started: AsyncDisposableStack,
): Promise<Engines> {
  const dynamodb = await startDynamoDb(data?.dynamodb);
  started.defer(() => dynamodb.stop());
  setFunctionEnvironment(dynamodb, tableName, routes);
  const s3 = await startS3({ ...dynamodb, bucket: filesBucket, directory: data?.s3 });
  started.defer(() => s3.stop());
  setFilesEnvironment(s3);
  const mail = await startMail(dynamodb.accessKeyId);
  started.defer(() => mail.stop());
  const { endpoint, region, accessKeyId, secretAccessKey } = dynamodb;
  const engines = {
    dynamodb: { endpoint, region, accessKeyId, secretAccessKey, tableName },
    s3: { endpoint: s3.endpoint, region, accessKeyId, secretAccessKey, bucket: s3.bucket },
    mail: { endpoint: mail.endpoint },
  };
  return { dynamodb, s3, pages: { engines: () => engines, ...mail.pages } };
}
