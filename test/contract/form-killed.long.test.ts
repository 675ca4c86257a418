import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { bundleFunctions } from '#lib/bundle/bundle-functions.ts';
import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import { httpApiEvent } from '#lib/local/event.ts';
import { keys } from '#lib/table/keys.ts';
import { KillableFunctions, type KillPoint } from '#test/support/killable-functions.ts';
import { MailSink } from '#test/support/mail-sink.ts';
import { advanceUntilDue, pendingJobs, streamRecord } from '#test/support/mail-work.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { type Document, testTable } from '#test/support/world.ts';

/** KILLS=200 takes about two minutes. */
const kills = Number(process.env['KILLS'] ?? 40);
const recipients = ['owner@example.com', 'kitchen@example.com'];

let folder: string;
let files: ReadonlyMap<string, string>;
let sink: MailSink;
let kitchen: Workspace;
let functions: KillableFunctions;

beforeAll(async () => {
  await openOwnTable();
  folder = await mkdtemp(join(tmpdir(), 'form-killed-'));
  const bundles = await bundleFunctions(undefined, join(folder, 'build', 'functions'));
  files = new Map(bundles.map(({ name, file }) => [name, file]));
  kitchen = await openWorkspace('kitchen', (document) => {
    const fields = [{ id: 'f1', ref: 'number', title: { en: 'Number' }, type: 'NUMBER' }];
    document.forms = [
      { id: 'form_1', slug: 'order', title: { en: 'Order' }, notifications: { emails: recipients }, fields },
    ];
  });
  const table = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
  sink = await MailSink.start();
  functions = await KillableFunctions.start({ table, mail: sink.url }, deaths());
});

afterAll(async () => {
  await Promise.all([functions.stop(), sink.stop()]);
  await rm(folder, { recursive: true });
});

/** Before and after each of the first writes of a process; a response with its mails takes seven. */
const deaths = (): KillPoint[] =>
  Array.from({ length: kills }, (_, index) => ({
    write: 1 + (Math.floor(index / 2) % 8),
    when: index % 2 === 0 ? 'before' : 'after',
  }));

const invoke = (name: string, event: object) => functions.invoke(files.get(name) ?? '', event);

/** Repeats the request until there is an answer, as clients do. @returns the id of the response */
async function submit(number: number): Promise<string> {
  const event = httpApiEvent({
    method: 'POST',
    url: `/api/public/forms/order?apiKey=${kitchen.keys.reader}`,
    headers: [
      ['host', '127.0.0.1'],
      ['content-type', 'application/json'],
      ['idempotency-key', `order-${number}`],
    ],
    body: Buffer.from(JSON.stringify({ number })),
    sourceIp: '127.0.0.1',
    requestId: String(number),
    routeKey: '$default',
  });
  for (;;) {
    const answer = (await invoke('form-submit', event)) as APIGatewayProxyStructuredResultV2 | undefined;
    if (!answer) continue;
    expect(answer.statusCode).toBe(200);
    return String(answer.headers?.['x-form-response-id']);
  }
}

/** Imitates the platform: the stream repeats its delivery until it succeeds, and the schedule finds the rest. */
async function deliver(): Promise<void> {
  const records = (await pendingJobs()).map(streamRecord);
  for (;;) {
    const result = (await invoke('form-response-deliver', { Records: records })) as Document;
    if (result?.batchItemFailures.length === 0) break;
  }
  while ((await pendingJobs()).length > 0) {
    await advanceUntilDue();
    await invoke('form-response-deliver', { source: 'aws.events', time: new Date().toISOString() });
  }
}

async function stored<Record>(kind: 'formResponse' | 'notification'): Promise<Record[]> {
  const items = await Array.fromAsync(testTable().query({ pk: keys.records(kitchen.workspaceId, kind) }));
  return items.map(({ record }) => JSON.parse(String(record)));
}

it(`loses nothing and duplicates only mails when the process is killed ${kills} times`, async () => {
  const answered = new Map<number, string>();
  for (let number = 0; functions.deathsLeft > 0; number++) {
    answered.set(number, await submit(number));
    await deliver();
  }
  const responses = await stored<FormResponse>('formResponse');
  expect(responses.map(({ answers }) => answers['number']).sort()).toEqual([...answered.keys()].sort());
  expect(new Map(responses.map(({ id, answers }) => [answers['number'], id]))).toEqual(answered);
  const notified = (await stored<Document>('notification')).map(({ formResponseId }) => formResponseId);
  expect(notified.sort()).toEqual([...answered.values()].sort());

  const wanted = [...answered.keys()].flatMap((number) => recipients.map((to) => `${to} ${number}`));
  const mailed = sink.mails.map(({ to, text }) => `${to[0]} ${/^ {2}(\d+)$/m.exec(text)?.[1]}`);
  expect([...new Set(mailed)].sort()).toEqual(wanted.sort());
  const duplicates = mailed.length - wanted.length;
  expect(duplicates).toBeLessThan(kills);

  const moments = ['storing', 'claiming', 'mailing', 'finishing'];
  expect([...new Set(functions.deathsSeen)].sort()).toEqual(
    moments.flatMap((moment) => [`before ${moment}`, `after ${moment}`]).sort(),
  );
}, 600_000);
