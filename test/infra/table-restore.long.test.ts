import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listWorkspaces } from '#lib/table/list-workspaces.ts';
import { AwsAccount } from '#test/support/aws-account.ts';
import { type CommandResult, runCommandLine } from '#test/support/command-line.ts';
import { everyKind, newWorkspaceId } from '#test/support/every-kind.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { shortenPauses } from '#test/support/short-pauses.ts';
import { storeWorkspace, testTable } from '#test/support/world.ts';
import { everySetting } from './every-setting.ts';
import { sampleDeclarations } from './sample-declarations.ts';
import { type Resource, resourcesOf, synthesize } from './synthesize.ts';
import { Template } from './template.ts';

shortenPauses();

const backup = 'arn:aws:dynamodb:eu-west-1:111122223333:table/workspaces/backup/01764212345678-1a2b3c4d';
const ids = [newWorkspaceId(), newWorkspaceId()].sort();
const engine = new DynamoDBClient({});
let folder: string;
let template: object;
let account: AwsAccount;

const resourceOf = (id: string): Resource => account.template.Resources[id] as unknown as Resource;

const everything = (): string[] => [...account.functions, ...account.endpoints];

const run = (...words: string[]): Promise<CommandResult> => {
  account.lead();
  return runCommandLine(['table', ...words, '--stack', account.stack]);
};

/** Deletes the table, as somebody does by mistake, and leaves the backup that AWS makes of it. */
async function loseTable(TableName = testTable().name): Promise<void> {
  account.backups.set(backup, await account.copy());
  await engine.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
  await engine.send(new DeleteTableCommand({ TableName }));
  account.history = undefined;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'table-restore-'));
  const { domain } = everySetting;
  const choices = { deletionProtection: true, concurrencyQuota: 1_000, uploads: 'web', domain } as const;
  const stack = await synthesize(sampleDeclarations, choices);
  template = stack.template.toJSON();
});

beforeEach(async () => {
  await openOwnTable();
  for (const id of ids) await storeWorkspace(everyKind(id));
  if (account) await account.close();
  account = await AwsAccount.open(template, testTable().name);
  for (const id of account.functions) {
    const { Properties } = resourceOf(id);
    const count = Properties['ReservedConcurrentExecutions'] as number | undefined;
    if (count !== undefined) account.reserved.set(`fn-${id}`, count);
  }
});

afterAll(async () => {
  await account.close();
  await rm(folder, { recursive: true });
});

describe('table restore of a lost table', () => {
  it('prints every step with the real names, and changes nothing with --dry-run', async () => {
    await loseTable();
    const { code, out, errors } = await run('restore', '--dry-run');
    expect([code, errors]).toEqual([0, '']);
    const name = account.tableName;
    expect(out.split('\n').map((line) => line.replace(/\d{4}-[\dT:.-]+Z/, 'TIME'))).toEqual([
      `1. Stop the ${everything().length} functions of WorkspaceApi-bad-day, so that nothing writes.`,
      `2. Restore ${name} from the backup ${backup} of TIME.`,
      `3. Wait minutes to hours until ${name} can be used; the command may be ended meanwhile, and run again.`,
      `4. Let ${name} delete items by their ttl.`,
      `5. Switch on point-in-time recovery of ${name}.`,
      `6. Protect ${name} from deletion.`,
      `7. Open a stream of the changes of ${name}.`,
      `8. Read every workspace of ${name}.`,
      expect.stringMatching(/^9\. Let the \d+ functions of WorkspaceApi-bad-day run/),
      'Nothing was changed.',
      'By hand remains, because a restored table has another stream:',
      'a. Write "tableStreamArn": "<printed by this command>" into .settings/bad-day.json.',
      'b. npm run deploy -- bad-day',
      expect.stringMatching(/^c\. Run this command again/),
      expect.stringMatching(/^d\. npm run smoke -- --url https:\/\/api\.example\.com --key <API_KEY>, /),
      '',
    ]);
    expect(account.changes).toEqual([]);
  });

  it('brings back the records and all that the stack switches on, while no function runs', async () => {
    const reserved = new Map(account.reserved);
    await loseTable();
    // A table that was just restored refuses changes for a while.
    account.faults.set('UpdateContinuousBackups', { name: 'ContinuousBackupsUnavailableException', times: 2 });
    account.faults.set('UpdateTable', { name: 'ResourceInUseException', times: 1 });
    const { code, out } = await run('restore');
    expect([code, out]).toEqual([0, expect.stringContaining(`2 workspaces: ${ids.join(', ')}.`)]);
    expect((await listWorkspaces(testTable())).map(({ id }) => id)).toEqual(ids);
    const { Table } = await engine.send(new DescribeTableCommand({ TableName: account.tableName }));
    const { TimeToLiveDescription } = await engine.send(
      new DescribeTimeToLiveCommand({ TableName: account.tableName }),
    );
    const { Properties } = resourceOf('WorkspaceTable');
    expect(TimeToLiveDescription?.TimeToLiveStatus).toBe('ENABLED');
    expect(TimeToLiveDescription?.AttributeName).toBe('ttl');
    expect(Table).toMatchObject({
      DeletionProtectionEnabled: true,
      StreamSpecification: { StreamEnabled: true, ...(Properties['StreamSpecification'] as object) },
    });
    expect(account.history).toBeDefined();
    expect(out).toContain(`a. Write "tableStreamArn": "${Table?.LatestStreamArn}" into .settings/bad-day.json.`);
    const restoredAt = account.changes.findIndex((change) => change.startsWith('RestoreTable'));
    expect(account.changes.slice(0, restoredAt)).toEqual([
      ...account.functions.map((id) => `reserve fn-${id} 0`),
      ...account.endpoints.map((id) => `authorize fn-${id} IamAuth`),
    ]);
    const lastSwitch = account.changes.findLastIndex((change) => change.startsWith('Update'));
    const firstStart = account.changes.findIndex((change, index) => index > restoredAt && / fn-/.test(change));
    expect(firstStart).toBeGreaterThan(lastSwitch);
    expect(account.reserved).toEqual(reserved);
    expect([...reserved.values()].length).toBeGreaterThan(0);
  });

  it('changes nothing when it runs again, and says when nothing remains', async () => {
    await loseTable();
    const first = await run('restore');
    account.changes.length = 0;
    const second = await run('restore');
    expect([second.code, account.changes]).toEqual([0, []]);
    expect(second.out).not.toContain('Restore ');
    expect(second.out).toContain('By hand remains');
    account.followedStream = /"(arn:[^"]+)"/.exec(first.out)?.[1] ?? '';
    const third = await run('restore');
    expect([third.code, account.changes]).toEqual([0, []]);
    expect(third.out).toContain('Nothing remains: the functions of WorkspaceApi-bad-day follow the stream of own-');
    expect(third.out).not.toContain('By hand');
  });

  it.each([
    ['RestoreTableFromBackup', 'AccessDeniedException', /^Step 2 failed: .+\nNo function runs meanwhile\. Correct/],
    ['UpdateTimeToLive', 'ValidationException', /^Step 4 failed: .+\nCorrect the cause, and run the same command/],
  ])('says what to do when %s fails, keeps the functions stopped, and goes on from there', async (call, name, told) => {
    await loseTable();
    account.faults.set(call, { name, times: 1 });
    const { code, errors } = await run('restore');
    expect([code, errors]).toEqual([1, expect.stringMatching(told)]);
    expect(account.stopped).toEqual(everything());
    account.faults.clear();
    expect((await run('restore')).code).toBe(0);
    expect(account.stopped).toEqual([]);
  });

  it('takes another backup that is named, and lets no function run on a table without workspaces', async () => {
    await loseTable();
    const empty = `${backup}-empty`;
    account.backups.set(empty, { tableName: account.tableName, takenAt: 0, items: [] });
    const { code, out, errors } = await run('restore', '--backup', empty);
    expect([code, out]).toEqual([1, expect.stringContaining(`from the backup ${empty}.`)]);
    expect(errors).toMatch(/^Step 8 failed: own-\S+ has no workspace\.\nIs it the right backup\? .+ --backup ARN\./);
    expect(account.stopped).toEqual(everything());
    expect((await run('start')).out).toMatch(/^1\. Let the \d+ functions of \S+ run\.\n {3}They run\.\n$/);
    expect(account.stopped).toEqual([]);
  });

  it.each([
    ['there is no backup', () => account.backups.clear(), /^DynamoDB has no backup of own-\S+\. .+ start-restore-job/],
    [
      'backups cannot be listed',
      () => account.faults.set('ListBackups', { name: 'AccessDeniedException', times: 1 }),
      /^ListBackups fails as planned\.\nCorrect the cause/,
    ],
  ])('changes nothing when %s', async (_, happen, told) => {
    await loseTable();
    happen();
    const { code, errors } = await run('restore');
    expect([code, errors, account.changes]).toEqual([1, expect.stringMatching(told), []]);
  });

  it('says that a table is gone whose deletion had not ended, and restores it the next time', async () => {
    await loseTable();
    account.creatingAnswers = 1;
    const { code, out, errors } = await run('restore');
    expect([code, out]).toEqual([1, expect.stringMatching(/^1\. Wait minutes to hours/)]);
    expect(errors).toMatch(/^Step 1 failed: There is no table own-\S+\.\nCorrect the cause, and run the same command/);
    expect(account.changes).toEqual([]);
    expect((await run('restore')).out).toContain('By hand remains');
  });

  it('refuses a stack that does not exist', async () => {
    account.lead();
    const { code, errors } = await runCommandLine(['table', 'restore', '--stack', 'WorkspaceApi-typo']);
    expect([code, errors]).toEqual([1, 'The stack WorkspaceApi-typo cannot be read: Stack does not exist.\n']);
  });
});

describe('table restore of a damaged table', () => {
  const directory = (): string => join(folder, account.tableName);

  it('writes each workspace as it was then, and leaves the table alone', async () => {
    account.history?.push(await account.copy());
    const at = new Date(Math.ceil(Date.now() / 1_000) * 1_000).toISOString();
    await new Promise((later) => setTimeout(later, 1_000));
    const since = newWorkspaceId();
    await storeWorkspace(everyKind(since));
    const before = await account.copy();
    const dry = await run('restore', directory(), '--at', at, '--dry-run');
    const copyName = `${account.tableName}-at-${at.slice(0, 19).replaceAll(/[:-]/g, '')}`;
    expect([dry.code, account.changes]).toEqual([0, []]);
    expect(dry.out).toContain(`1. Copy ${account.tableName} as it was at ${at} to ${copyName}; `);
    const { code, out } = await run('restore', directory(), '--at', at);
    expect([code, account.changes]).toEqual([0, [`RestoreTableToPointInTime ${copyName}`]]);
    expect(out).toContain(`2 workspaces then, 3 in ${account.tableName} now. Made since: ${since}.`);
    expect(out).toContain(
      `a. npm run workspace -- import ${directory()}/<id>.ndjson --dry-run --stack ${account.stack}`,
    );
    expect(out).toContain(`c. aws dynamodb delete-table --table-name ${copyName}`);
    expect((await readdir(directory())).sort()).toEqual(ids.map((id) => `${id}.ndjson`));
    expect(await readFile(join(directory(), `${ids[0]}.ndjson`), 'utf8')).toContain('"kind":"notification"');
    expect((await account.copy()).items).toEqual(before.items);
    const again = await run('restore', directory(), '--at', at);
    expect([again.code, account.changes.length]).toEqual([0, 1]);
    await engine.send(new DeleteTableCommand({ TableName: copyName }));
  });

  it('refuses a time that it cannot go back to, a table without recovery, and one that is lost', async () => {
    account.history?.push(await account.copy());
    const early = await run('restore', directory(), '--at', '2026-01-01T00:00:00Z');
    expect([early.code, early.errors]).toEqual([
      1,
      expect.stringMatching(
        /^own-\S+ can be restored to a time from 20\S+Z to 20\S+Z, not 2026-01-01T00:00:00\.000Z\.\n$/,
      ),
    ]);
    account.history = undefined;
    const without = await run('restore', directory(), '--at', '2026-01-01T00:00:00Z');
    expect(without).toMatchObject({ code: 1, errors: expect.stringContaining('has no point-in-time recovery.') });
    await loseTable();
    const lost = await run('restore', directory(), '--at', '2026-01-01T00:00:00Z');
    expect(lost).toMatchObject({
      code: 1,
      errors: expect.stringContaining('it is lost. Run this command without --at.'),
    });
    expect(account.changes).toEqual([]);
  });
});

describe('table stop and table start', () => {
  it('stop lets no function run, and start gives each what the template reserves', async () => {
    const reserved = new Map(account.reserved);
    const dry = await run('stop', '--dry-run');
    expect([dry.code, account.changes, dry.out]).toEqual([0, [], expect.stringContaining('Nothing was changed.')]);
    expect((await run('stop')).code).toBe(0);
    expect(account.stopped).toEqual(everything());
    expect((await run('start')).code).toBe(0);
    expect([account.reserved, account.stopped]).toEqual([reserved, []]);
    account.changes.length = 0;
    expect((await run('start')).out).toContain('run: done already.');
    expect(account.changes).toEqual([]);
  });

  it('start is not done already while a web function refuses uploads', async () => {
    for (const id of account.endpoints) account.authTypes.set(`fn-${id}`, 'IamAuth');
    expect((await run('start')).out).not.toContain('done already');
    expect([account.endpoints.length, account.stopped]).toEqual([1, []]);
  });

  it('leaves the functions alone that CloudFormation runs, so that a version can be deployed meanwhile', async () => {
    const functions = resourcesOf({ template: new Template(template) }, 'AWS::Lambda::Function').map(([id]) => id);
    const deploying = functions.filter((id) => !account.functions.includes(id));
    expect(deploying).toEqual(expect.arrayContaining([expect.stringMatching(/^CustomS3ObjectCopy/)]));
    await run('stop');
    expect(deploying.filter((id) => account.reserved.has(`fn-${id}`))).toEqual([]);
  });

  it.each([
    ['UpdateResource', 'AccessDeniedException'],
    ['GetResourceRequestStatus', 'RequestTokenNotFoundException'],
  ])('says what to do when %s fails, and goes on from there', async (call, name) => {
    account.faults.set(call, { name, times: 1 });
    const { code, errors } = await run('stop');
    expect([code, errors]).toEqual([
      1,
      `Step 1 failed: ${name}: ${call} fails as planned.\nCorrect the cause, and run the same command again: it goes on from here.\n`,
    ]);
    expect((await run('stop')).code).toBe(0);
    expect(account.stopped).toEqual(everything());
  });
});

it('The stack sets nothing of the table that neither a restore carries over nor the command switches on', () => {
  const { Replicas, ...properties } = resourceOf('WorkspaceTable').Properties as { Replicas: object[] };
  const carriedOver = ['AttributeDefinitions', 'BillingMode', 'KeySchema', 'SSESpecification'];
  expect(Object.keys(properties).sort()).toEqual(
    [...carriedOver, 'StreamSpecification', 'TimeToLiveSpecification'].sort(),
  );
  expect(Replicas.map((replica) => Object.keys(replica).sort())).toEqual([
    ['DeletionProtectionEnabled', 'PointInTimeRecoverySpecification', 'Region'],
  ]);
});
