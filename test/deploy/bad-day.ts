import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  CreateBackupCommand,
  DeleteTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  UpdateContinuousBackupsCommand,
} from '@aws-sdk/client-dynamodb';
import { LambdaClient, ListEventSourceMappingsCommand } from '@aws-sdk/client-lambda';
import { expectStatus } from './expect-status.ts';
import type { TrialProject } from './trial-project.ts';

interface Deployed {
  readonly trial: TrialProject;
  readonly stack: string;
  readonly tableName: string;
  /** The address of the distribution. */
  readonly url: string;
}

/** A workspace of the deployed service, and a key with all permissions. */
interface Workspace {
  readonly id: string;
  readonly secret: string;
}

const patienceMilliseconds = 300_000;

/** What an operator does when records are wrong or the table is lost (lib/infra/restore.md). */
export class BadDay {
  readonly #deployed: Deployed;
  readonly #dynamoDb: DynamoDBClient;
  readonly #lambda: LambdaClient;

  constructor(endpoint: string, deployed: Deployed) {
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    this.#deployed = deployed;
    this.#dynamoDb = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
    this.#lambda = new LambdaClient({ endpoint, region: 'us-east-1', credentials });
  }

  /** Stops the service, and starts it again. @throws when a stopped one answers */
  async stopAndStart(): Promise<void> {
    await this.#table('stop');
    const { status } = await this.#list();
    if (status < 429) throw new Error(`The stopped service answers ${status}.`);
    await this.#table('start');
    await this.#answers();
  }

  /**
   * Removes products of a workspace, and brings them back from the table as it was. The emulator copies the table as
   * it is, whatever the time, so that the copy is made before.
   * @throws when the workspace is not what it was
   */
  async damage({ id, secret }: Workspace): Promise<void> {
    const { trial, stack, tableName, url } = this.#deployed;
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
    // The emulator does not read this from the template.
    await this.#dynamoDb.send(
      new UpdateContinuousBackupsCommand({ TableName: tableName, PointInTimeRecoverySpecification }),
    );
    const before = await this.#records(id);
    const at = new Date().toISOString();
    const then = join(trial.folder, 'then');
    await this.#table('restore', then, '--at', at);
    const headers = { authorization: `Bearer ${secret}` };
    const products = `${url}/api/v1/manage/menu-products`;
    const { data } = (await expectStatus(200, fetch(`${products}?limit=3`, { headers }))) as { data: { id: string }[] };
    for (const product of data) {
      await expectStatus(204, fetch(`${products}/${product.id}`, { method: 'DELETE', headers }));
    }
    if (isDeepStrictEqual(await this.#records(id), before)) throw new Error('Nothing was removed.');
    await trial.workspace('import', join(then, `${id}.ndjson`), '--yes', '--stack', stack);
    if (!isDeepStrictEqual(await this.#records(id), before)) throw new Error(`${id} is not what it was.`);
  }

  /**
   * Deletes the table, and brings it back. The emulator makes no backup of a deleted table, so that one is made before.
   * @param deploy deploys the stack with the setting `tableStreamArn`
   * @throws when a record is missing, or the functions do not follow the new stream
   */
  async lose({ id }: Workspace, deploy: (tableStreamArn: string) => Promise<unknown>): Promise<string> {
    const TableName = this.#deployed.tableName;
    const before = await this.#records(id);
    await this.#dynamoDb.send(new CreateBackupCommand({ TableName, BackupName: 'deleted' }));
    await this.#dynamoDb.send(new DeleteTableCommand({ TableName }));
    const planned = await this.#table('restore', '--dry-run');
    if (!planned.includes(`Restore ${TableName} from the backup arn:`)) throw new Error(`The plan is ${planned}`);
    const restored = await this.#table('restore');
    await this.#answers();
    if (!isDeepStrictEqual(await this.#records(id), before)) throw new Error(`${id} is not what it was.`);
    const found = await this.#dynamoDb.send(new DescribeTimeToLiveCommand({ TableName }));
    if (found.TimeToLiveDescription?.TimeToLiveStatus !== 'ENABLED') throw new Error('Items do not expire.');
    const [, streamArn = ''] = /"tableStreamArn": "(arn:[^"]+)"/.exec(restored) ?? [];
    await deploy(streamArn);
    const finished = await this.#table('restore');
    if (!finished.includes('Nothing remains')) throw new Error(`Something remains: ${finished}`);
    return this.#handles(streamArn);
  }

  /** Submits a form that notifies somebody. @returns what the mapping says of the change's record */
  async #handles(EventSourceArn: string): Promise<string> {
    const address = `${this.#deployed.url}/api/public/forms/contact?apiKey=saffron-site-key-0000000000`;
    const answers = {
      name: 'Huda',
      email: 'huda@example.com',
      subject: 'visit',
      message: 'A table for two, please.',
      consent: true,
    };
    const body = JSON.stringify(answers);
    const submit = () => fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await expectStatus(200, submit());
    const patience = AbortSignal.timeout(patienceMilliseconds);
    for (;;) {
      const { EventSourceMappings = [] } = await this.#lambda.send(
        new ListEventSourceMappingsCommand({ EventSourceArn }),
      );
      const [{ LastProcessingResult = '' } = {}] = EventSourceMappings;
      if (LastProcessingResult.startsWith('OK')) return LastProcessingResult;
      if (patience.aborted) throw new Error(`The stream is not followed: ${LastProcessingResult}`);
      await delay(500);
    }
  }

  #table(command: string, ...args: readonly string[]): Promise<string> {
    return this.#deployed.trial.workspace('table', command, ...args, '--stack', this.#deployed.stack);
  }

  async #records(id: string): Promise<string[]> {
    const { trial, stack } = this.#deployed;
    const file = join(trial.folder, `${id}.ndjson`);
    await trial.workspace('export', file, '--workspace', id, '--stack', stack);
    // The first line has the time of the export. An import gives a record that comes back a place of its own.
    return (await readFile(file, 'utf8')).split('\n').slice(1).sort();
  }

  #list(): Promise<Response> {
    const headers = { authorization: 'Bearer saffron-site-key-0000000000' };
    return fetch(`${this.#deployed.url}/api/public/cms/chefs/list?limit=1&fields=name`, { headers });
  }

  async #answers(): Promise<void> {
    const patience = AbortSignal.timeout(patienceMilliseconds);
    for (;;) {
      const answer = await this.#list();
      if (answer.status === 200) return;
      if (patience.aborted) throw new Error(`The service answers ${answer.status} ${await answer.text()}`);
      await delay(500);
    }
  }
}
