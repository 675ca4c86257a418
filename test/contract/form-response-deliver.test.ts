import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { putAll } from '#lib/table/dynamodb/write-all.ts';
import { keys } from '#lib/table/keys.ts';
import { newMailJob } from '#lib/table/mail-jobs.ts';
import { call } from '#test/support/call.ts';
import { capturedLines } from '#test/support/log-capture.ts';
import { MailSink } from '#test/support/mail-sink.ts';
import { deliverJobs, parkedJobs, pendingJobs, storeResponse, sweep } from '#test/support/mail-work.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { requireUndisturbedSubmits } from '#test/support/submits-during-fault.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { type Document, testTable } from '#test/support/world.ts';

let sink: MailSink;
let kitchen: Workspace;

const form = (canary: string) => ({
  id: 'form_contact',
  slug: 'contact',
  title: { ar: `اتصل بنا ${canary}`, en: `Contact us ${canary}` },
  notifications: { emails: ['owner@example.com'] },
  fields: [
    { id: 'f2', ref: 'message', title: { en: 'Message' }, type: 'TEXTAREA', order: 2 },
    { id: 'f3', ref: 'files', title: { en: 'Files' }, type: 'FILE', order: 3 },
    { id: 'f1', ref: 'email', title: { en: 'E-mail', ar: 'البريد' }, type: 'EMAIL', order: 1 },
  ],
});

const withForm = (document: Document) => {
  document.forms = [form(document.workspace.name)];
};

beforeAll(async () => {
  await openOwnTable();
  sink = await MailSink.start();
  kitchen = await openWorkspace('kitchen', withForm);
});

afterAll(() => sink.stop());

beforeEach(() => sink.heal());

describe('a new mail job', () => {
  it('becomes one mail to its recipient, with the answers under their titles in form order', async () => {
    const answers = { message: 'Hello,\nis there a table?', email: 'guest@example.org' };
    const jobs = await storeResponse(kitchen.workspaceId, answers);
    expect(await deliverJobs(jobs)).toEqual([]);
    expect(sink.mails).toEqual([
      {
        from: 'forms@example.com',
        to: ['owner@example.com'],
        replyTo: 'guest@example.org',
        subject: `Contact us ${kitchen.canary}`,
        text: expect.stringContaining('E-mail\n  guest@example.org\n\nMessage\n  Hello,\n  is there a table?\n'),
        html: expect.stringMatching(/>E-mail<[\s\S]+>guest@example\.org<[\s\S]+>Message<[\s\S]+>Hello,\nis there a/),
        at: expect.any(String),
      },
    ]);
    expect(await pendingJobs()).toEqual([]);
  });

  it('counts as one mail in the metrics, and its log line has neither address nor answer', async () => {
    const jobs = await storeResponse(kitchen.workspaceId, { email: 'guest@example.org', message: 'Hello' });
    const lines = await capturedLines(() => deliverJobs(jobs));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ message: 'A form response was mailed.', route: 'form-response-deliver', Mails: 1 }),
    ]);
    expect(lines.join()).not.toMatch(/example\.(?:org|com)|Hello/);
  });

  it('is one of several jobs of a response, each with a separate message', async () => {
    const recipients = ['a@example.com', 'B@example.com', 'c@example.com'];
    const jobs = await storeResponse(kitchen.workspaceId, { message: 'Hello' }, { recipients });
    expect(await deliverJobs(jobs)).toEqual([]);
    expect(sink.mails.map(({ to }) => to).sort()).toEqual(recipients.map((recipient) => [recipient]).sort());
    expect(new Set(sink.mails.map(({ text }) => text)).size).toBe(1);
  });

  it('shows refs for titles when the form is deleted', async () => {
    const answers = { email: 'guest@example.org', message: 'Hello' };
    const jobs = await storeResponse(kitchen.workspaceId, answers, { formId: 'form_gone' });
    expect(await deliverJobs(jobs)).toEqual([]);
    const [{ subject, text, replyTo } = {}] = sink.mails as Document[];
    expect({ subject, replyTo }).toEqual({ subject: 'form_gone', replyTo: null });
    expect(text).toContain('email\n  guest@example.org\n\nmessage\n  Hello\n');
  });

  it('names the files of an answer with their types and links, and a deleted one by its id', async () => {
    const attachment = { id: 'att_1', s3Key: `workspaces/${kitchen.workspaceId}/att_1/cv.pdf`, name: 'Lina <CV>.pdf' };
    const stored = { ...attachment, type: 'application/pdf', size: 3, createdAt: '2026-01-01T00:00:00.000Z' };
    await testTable().put({
      ...keys.record(kitchen.workspaceId, 'attachment', 'att_1'),
      record: JSON.stringify(stored),
    });
    await deliverJobs(await storeResponse(kitchen.workspaceId, { files: ['att_1', 'att_gone'], message: 'att_1' }));
    const [{ text, html } = {}] = sink.mails as Document[];
    const url = `${process.env['ASSET_BASE_URL'] ?? ''}/api/v1/connect/assets/${stored.s3Key}`;
    expect(text).toContain(`Files\n  - Lina <CV>.pdf (application/pdf) ${url}\n  - att_gone`);
    expect(text).toContain('Message\n  att_1\n');
    expect(html).toContain(`Lina &lt;CV&gt;.pdf (application/pdf) ${url}`);
  });

  it('leaves out the metadata of the response', async () => {
    await deliverJobs(await storeResponse(kitchen.workspaceId, { message: 'Hello' }));
    expect(sink.mails).toMatchObject([{ text: expect.stringContaining('Hello') }]);
    for (const text of ['_page', '/contact']) expect(JSON.stringify(sink.mails)).not.toContain(text);
  });
});

describe('a batch', () => {
  it('that is delivered twice and out of order mails everyone one time', async () => {
    const responses = Array.from({ length: 10 }, (_, number) =>
      storeResponse(kitchen.workspaceId, { message: `Hello ${number}` }, { recipients: ['a@b.co', 'c@d.co'] }),
    );
    const jobs = (await Promise.all(responses)).flat();
    await deliverJobs(jobs);
    await deliverJobs(jobs.toReversed());
    await Promise.all([deliverJobs(jobs), deliverJobs(jobs.toReversed()), sweep()]);
    expect(sink.mails).toHaveLength(20);
    expect(await pendingJobs()).toEqual([]);
  });

  it('that is delivered twice in parallel mails everyone one time', async () => {
    const recipients = Array.from({ length: 20 }, (_, number) => `owner-${number}@example.com`);
    const jobs = await storeResponse(kitchen.workspaceId, { message: 'Hello' }, { recipients });
    await Promise.all([deliverJobs(jobs), deliverJobs(jobs.toReversed()), sweep(), deliverJobs(jobs)]);
    expect(sink.mails.map(({ to }) => to[0]).sort()).toEqual(recipients.toSorted());
  });
});

describe('a submit', () => {
  const submit = () =>
    call(`POST /api/public/forms/contact?apiKey=${kitchen.keys.reader}`, { body: { message: 'Hello' } });

  it.each([
    ['down', { kind: 'error', type: 'ServiceUnavailable', status: 503 }],
    ['refusing', { kind: 'error', type: 'AccountSuspendedException', status: 400 }],
  ] as const)('is answered as always while the mail service is %s, and loses nothing', async (_, fault) => {
    await requireUndisturbedSubmits(sink, fault, submit);
  });
});

describe('two workspaces with the same ids', () => {
  it('appear in separate mails', async () => {
    const other = await openWorkspace('kitchen', withForm);
    const id = 'res_same';
    const jobs = await Promise.all(
      [kitchen, other].map(({ workspaceId, canary }) =>
        storeResponse(workspaceId, { message: canary }, { id, recipients: [`${canary}@example.com`] }),
      ),
    );
    await deliverJobs(jobs.flat());
    for (const { canary } of [kitchen, other]) {
      const own = sink.mails.filter(({ to }) => to[0] === `${canary}@example.com`);
      expect(own).toHaveLength(1);
      const otherCanary = canary === kitchen.canary ? other.canary : kitchen.canary;
      expect(JSON.stringify(own)).toContain(canary);
      expect(JSON.stringify(own)).not.toContain(otherCanary);
    }
  });
});

it('the schedule finds jobs that the stream has not delivered', async () => {
  await storeResponse(kitchen.workspaceId, { message: 'Hello' }, { recipients: ['a@b.co', 'c@d.co', 'e@f.co'] });
  await sweep();
  expect(sink.mails).toHaveLength(3);
  await sweep();
  expect(sink.mails).toHaveLength(3);
});

it('the delivery of mails drops a job whose response is deleted, and mails the others', async () => {
  const job = newMailJob({
    kind: 'form_response',
    workspaceId: kitchen.workspaceId,
    formId: 'form_contact',
    responseId: 'res_gone',
    recipient: 'owner@example.com',
    createdAt: new Date().toISOString(),
  });
  await putAll(testTable(), [{ ...job }]);
  const others = await storeResponse(kitchen.workspaceId, { message: 'Hello' });
  expect(await deliverJobs([job, ...others])).toEqual([]);
  expect(sink.mails).toHaveLength(1);
  expect(await parkedJobs()).toEqual([]);
  expect(await pendingJobs()).toEqual([]);
});
