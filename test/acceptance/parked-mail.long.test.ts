import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { dueKeys } from '#lib/table/due/keys.ts';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { putAll } from '#lib/table/dynamodb/write-all.ts';
import { keys } from '#lib/table/keys.ts';
import { mailJobId, newMailJob } from '#lib/table/mail-jobs.ts';
import { Table } from '#lib/table/table.ts';
import { type CommandResult, runCommandLine } from '#test/support/command-line.ts';
import { LocalService } from '#test/support/processes.ts';

const workspace = (id: string) => ({
  version: 1,
  workspace: { id, name: id, languages: ['en'], defaultLanguage: 'en' },
  forms: [{ id: 'form_1', slug: 'order', title: { en: `Order of ${id}` } }],
});

let folder: string;
let service: LocalService;
let table: Table;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parked-mail-'));
  const files = ['ws_one', 'ws_two'].map((id) => ({ id, file: join(folder, `${id}.json`) }));
  await Promise.all(files.map(({ id, file }) => writeFile(file, JSON.stringify(workspace(id)))));
  service = await LocalService.start(...files.flatMap(({ file }) => ['--workspace', file]));
  const answer = await fetch(`${service.url}/_local/engines`);
  const { dynamodb } = (await answer.json()) as { dynamodb: Record<'endpoint' | 'region' | 'tableName', string> };
  const { endpoint, region, tableName, ...credentials } = dynamodb;
  const client = tableClient('import', { endpoint, region, credentials: credentials as never });
  table = new Table({ client, name: tableName });
});

afterAll(async () => {
  expect(await service.stop()).toBe(0);
  await rm(folder, { recursive: true });
});

const run = (...args: string[]): Promise<CommandResult> => runCommandLine(['mail', ...args, '--url', service.url]);
const parkedCount = async () => (await Array.fromAsync(table.query({ pk: dueKeys.parkedWork('mail') }))).length;

async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 60_000; !(await isSo()); await pause(100)) {
    if (Date.now() > deadline) throw new Error('It did not come to that.');
  }
}

it('the mail command lists, retries and discards the mails of a workspace that could not be sent', async () => {
  const createdAt = '2026-01-07T00:00:00.000Z';
  const about = { kind: 'form_response', formId: 'form_1', recipient: 'owner@example.com', createdAt } as const;
  // Their responses cannot be read, so no mail can be written.
  const jobs = [
    { ...about, workspaceId: 'ws_one', responseId: 'res_1' },
    { ...about, workspaceId: 'ws_one', responseId: 'res_2' },
    { ...about, workspaceId: 'ws_two', responseId: 'res_3' },
  ].map(newMailJob);
  const unreadable = jobs.map(({ workspaceId, responseId }) => ({
    ...keys.record(workspaceId, 'formResponse', responseId),
    record: 'unreadable',
  }));
  await putAll(
    table,
    [...unreadable, ...jobs].map((item) => ({ ...item })),
  );
  await waitUntil(async () => (await parkedCount()) === 3);
  const [first = '', second = ''] = jobs.map(mailJobId);

  const listed = await run('list', '--workspace', 'ws_one');
  const line = (id: string) =>
    `${id}  owner@example.com  form_1  1 attempt  parked \\S+Z  Unexpected token .* is not valid JSON\n`;
  expect(listed).toMatchObject({ code: 0, errors: '' });
  expect(listed.out).toMatch(new RegExp(`^${line(first)}${line(second)}$`));

  const response = { id: 'res_1', formId: 'form_1', answers: { number: 7 }, meta: {}, createdAt } as const;
  await table.put({ ...keys.record('ws_one', 'formResponse', 'res_1'), record: JSON.stringify(response) });
  const retried = await run('retry', first, '--workspace', 'ws_one');
  expect(retried).toEqual({ code: 0, out: `Mail ${first} will be retried.\n`, errors: '' });
  const mails = async () => (await (await fetch(`${service.url}/_local/mail`)).json()) as object[];
  await waitUntil(async () => (await mails()).length === 1);
  expect(await mails()).toMatchObject([{ to: ['owner@example.com'], subject: 'Order of ws_one' }]);

  const unknown = await run('retry', first, '--workspace', 'ws_one');
  expect(unknown).toEqual({ code: 1, out: '', errors: `The workspace has no parked mail ${first}.\n` });
  expect((await run('retry', '--workspace', 'ws_one')).out).toBe(`Mail ${second} will be retried.\n`);
  await waitUntil(async () => (await parkedCount()) === 2);

  const gone = { code: 1, out: '', errors: `The workspace has no parked mail ${second}.\n` };
  expect(await run('discard', second, '--workspace', 'ws_two')).toEqual(gone);
  const discarded = await run('discard', second, '--workspace', 'ws_one');
  expect(discarded).toEqual({ code: 0, out: `Discarded mail ${second}.\n`, errors: '' });
  expect(await run('discard', second, '--workspace', 'ws_one')).toEqual(gone);
  expect(await run('list', '--workspace', 'ws_one')).toEqual({ code: 0, out: '', errors: 'No mail is parked.\n' });
  expect(await parkedCount()).toBe(1);
  expect((await run('discard', '--workspace', 'ws_one')).errors).toMatch(/^Missing argument: MAIL\.\n\nUsage: /);
  expect((await run('list', '--workspace', 'ws_three')).errors).toBe('There is no workspace ws_three.\n');
});
