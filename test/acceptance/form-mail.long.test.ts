import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openDataDirectory } from '#lib/local/data-directory.ts';
import { startDynamoDb } from '#lib/local/dynamodb.ts';
import type { SentMail } from '#lib/local/mail-service.ts';
import { tableName } from '#lib/local/table-name.ts';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { putAll } from '#lib/table/dynamodb/write-all.ts';
import { keys } from '#lib/table/keys.ts';
import { newMailJob } from '#lib/table/mail-jobs.ts';
import { Table } from '#lib/table/table.ts';
import { LocalService } from '#test/support/processes.ts';

const key = 'form-mail-site-key-0000000';
let folder: string;
let file: string;

const document = {
  version: 1,
  workspace: { id: 'ws_mail', name: 'Mail', languages: ['ar', 'en'], defaultLanguage: 'ar' },
  apiKeys: [{ id: 'key_site', name: 'Site', secret: key, permissions: ['forms:form:read', 'forms:response:create'] }],
  forms: [
    {
      id: 'form_contact',
      slug: 'contact',
      title: { en: 'Contact us', ar: 'اتصل بنا' },
      notifications: { emails: ['owner@example.com', 'OWNER@example.com', 'kitchen@example.com'] },
      fields: [
        { id: 'f1', ref: 'email', title: { en: 'E-mail' }, type: 'EMAIL', order: 1, validations: { required: true } },
        { id: 'f2', ref: 'message', title: { ar: 'الرسالة' }, type: 'TEXTAREA', order: 2 },
      ],
    },
  ],
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'form-mail-'));
  file = join(folder, 'workspace.json');
  await writeFile(file, JSON.stringify(document));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const submit = (url: string, body: object): Promise<Response> =>
  fetch(`${url}/api/public/forms/contact?apiKey=${key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const mailbox = async (url: string): Promise<SentMail[]> =>
  (await fetch(`${url}/_local/mail`)).json() as Promise<SentMail[]>;

/** Far longer than the delay of a first attempt, and shorter than the pause between two sweeps. */
const mailMillisecondsMax = 30_000;

/** Waits for this number of mails. @returns all mails */
async function mailsOf(url: string, count: number, isWanted: (mail: SentMail) => boolean = () => true) {
  for (const deadline = Date.now() + mailMillisecondsMax; ; await pause(50)) {
    const mails = (await mailbox(url)).filter(isWanted);
    if (mails.length >= count) return mails;
    if (Date.now() > deadline) throw new Error(`There are ${mails.length} mails.`);
  }
}

it('the local service shows a submitted form in the local mailbox within seconds, once for every recipient', async () => {
  const service = await LocalService.start('--workspace', file);
  try {
    expect(await mailbox(service.url)).toEqual([]);
    const before = Date.now();
    const answer = await submit(service.url, {
      email: 'guest@example.org',
      message: 'مرحبا\n<b>Hello</b>',
      _page: '/',
    });
    expect(answer.status).toBe(200);
    const mails = await mailsOf(service.url, 2);
    expect(mails.map(({ to }) => to).sort()).toEqual([['kitchen@example.com'], ['owner@example.com']]);
    for (const mail of mails) {
      expect(Date.parse(mail.at)).toBeGreaterThanOrEqual(before);
      expect(mail).toEqual({
        from: expect.stringMatching(/^\S+@\S+$/),
        to: mail.to,
        replyTo: 'guest@example.org',
        subject: 'اتصل بنا',
        text: expect.stringContaining('E-mail\n  guest@example.org\n\nالرسالة\n  مرحبا\n  <b>Hello</b>\n'),
        html: expect.stringContaining('مرحبا\n&lt;b&gt;Hello&lt;/b&gt;'),
        at: mail.at,
      });
    }
    await pause(1_500);
    expect(await mailbox(service.url)).toHaveLength(2);
    expect(await fetch(`${service.url}/_local/mail`, { method: 'DELETE' })).toMatchObject({ status: 204 });
    expect(await mailbox(service.url)).toEqual([]);
  } finally {
    expect(await service.stop()).toBe(0);
  }
});

/** Stores a response with unsent mails, like a service killed right after its answer. */
async function storeUnsent(directory: string, response: { readonly id: string; readonly answers: object }) {
  const data = await openDataDirectory(directory);
  const engine = await startDynamoDb(data.dynamodb);
  try {
    await engine.ready;
    const address = { endpoint: engine.endpoint, region: engine.region, credentials: engine };
    const table = new Table({ client: tableClient('import', address), name: tableName });
    const about = { workspaceId: 'ws_mail', formId: 'form_contact', createdAt: '2026-01-07T00:00:00.000Z' };
    const record = JSON.stringify({ ...response, formId: about.formId, meta: {}, createdAt: about.createdAt });
    const jobs = ['owner@example.com', 'kitchen@example.com'].map((recipient) =>
      newMailJob({ kind: 'form_response', ...about, responseId: response.id, recipient }),
    );
    const stored = { ...keys.record(about.workspaceId, 'formResponse', response.id), record };
    await putAll(
      table,
      [stored, ...jobs].map((item) => ({ ...item })),
    );
  } finally {
    await engine.stop();
    data.release();
  }
}

it('the local service sends pending mails after a restart, and stops immediately while it sends', async () => {
  const directory = join(folder, 'data');
  const first = await LocalService.start('--data', directory, '--workspace', file);
  expect((await submit(first.url, { email: 'first@example.org' })).status).toBe(200);
  const stoppedAt = Date.now();
  expect(await first.stop()).toBe(0);
  expect(Date.now() - stoppedAt).toBeLessThan(20_000);

  await storeUnsent(directory, { id: 'res_left', answers: { email: 'left@example.org' } });
  const second = await LocalService.start('--data', directory, '--workspace', file);
  try {
    const isLeft = ({ replyTo }: SentMail) => replyTo === 'left@example.org';
    await mailsOf(second.url, 2, isLeft);
    await pause(500);
    expect(
      (await mailbox(second.url))
        .filter(isLeft)
        .map(({ to }) => to[0])
        .sort(),
    ).toEqual(['kitchen@example.com', 'owner@example.com']);
  } finally {
    expect(await second.stop()).toBe(0);
  }
});
