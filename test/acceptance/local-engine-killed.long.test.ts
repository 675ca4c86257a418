import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, it } from '@jest/globals';
import { startDynamoDb } from '#lib/local/dynamodb.ts';

const kills = Number(process.env['KILLS'] ?? 25);
const writers = 8;
const TableName = 'killed';

/** The process of the engine that keeps its tables in a folder. */
async function processOf(folder: string): Promise<number> {
  for (const name of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (command.includes('DynamoDBLocal.jar') && command.includes(folder)) return Number(name);
  }
  throw new Error('The engine was not found.');
}

const onLinux = process.platform === 'linux' ? it : it.skip;

onLinux(
  'no transaction that was answered is lost when the engine that keeps its data is killed',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'local-engine-killed-'));
    const engine = await startDynamoDb(folder);
    const { endpoint, region, accessKeyId, secretAccessKey } = engine;
    const credentials = { accessKeyId, secretAccessKey };
    const client = new DynamoDBClient({ endpoint, region, credentials, maxAttempts: 1 });
    const key = (name: string) => ({ pk: { S: name }, sk: { S: '-' } });
    const answered: string[] = [];
    let isOver = false;
    const write = async (writer: number) => {
      for (let count = 0; !isOver; count++) {
        const names = [`${writer} ${count}`, `${writer} ${count} too`];
        const TransactItems = names.map((name) => ({ Put: { TableName, Item: key(name) } }));
        const isAnswered = await client.send(new TransactWriteItemsCommand({ TransactItems })).then(
          () => true,
          () => false,
        );
        if (isAnswered) answered.push(...names);
        else await delay(20);
      }
    };
    try {
      await engine.ready;
      const keyTypes = [['pk', 'HASH'] as const, ['sk', 'RANGE'] as const];
      await client.send(
        new CreateTableCommand({
          TableName,
          BillingMode: 'PAY_PER_REQUEST',
          AttributeDefinitions: keyTypes.map(([AttributeName]) => ({ AttributeName, AttributeType: 'S' })),
          KeySchema: keyTypes.map(([AttributeName, KeyType]) => ({ AttributeName, KeyType })),
        }),
      );
      const writing = Array.from({ length: writers }, (_, writer) => write(writer));
      for (let kill = 0; kill < kills; kill++) {
        const enough = answered.length + 4 * writers + 40 * Math.random();
        while (answered.length <= enough) await delay(1);
        process.kill(await processOf(folder), 'SIGKILL');
      }
      const before = answered.length;
      while (answered.length === before) await delay(10);
      isOver = true;
      await Promise.all(writing);
      const stored = async (name: string) =>
        (await client.send(new GetItemCommand({ TableName, Key: key(name), ConsistentRead: true }))).Item !== undefined;
      const lost: string[] = [];
      for (const name of answered) if (!(await stored(name))) lost.push(name);
      expect(answered.length).toBeGreaterThan(kills * writers);
      expect(lost).toEqual([]);
    } finally {
      isOver = true;
      await engine.stop();
      client.destroy();
      await rm(folder, { recursive: true, force: true });
    }
  },
  60_000 + kills * 30_000,
);
