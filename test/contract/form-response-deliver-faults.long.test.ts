import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { putAll } from '#lib/table/dynamodb/write-all.ts';
import { keys } from '#lib/table/keys.ts';
import { call } from '#test/support/call.ts';
import { MailSink } from '#test/support/mail-sink.ts';
import {
  deliver,
  deliverJobs,
  parkedJobs,
  pendingJobs,
  recipientsOf,
  storeForRecipients,
  storeResponse,
  streamRecord,
} from '#test/support/mail-work.ts';
import { openOwnTable, restoreItems } from '#test/support/own-table.ts';
import { timed } from '#test/support/spent-time.ts';
import { requireUndisturbedSubmits } from '#test/support/submits-during-fault.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { type Document, testTable } from '#test/support/world.ts';

const formSlug = 'contact';
const withForm = (document: Document) => {
  const field = { id: 'f1', ref: 'message', title: { en: 'Message' }, type: 'TEXTAREA', order: 1 };
  document.forms = [
    {
      id: 'form_contact',
      slug: formSlug,
      title: { en: 'Contact us' },
      fields: [field],
      notifications: { emails: ['owner@example.com'] },
    },
  ];
};

let sink: MailSink;
let kitchen: Workspace;

beforeAll(async () => {
  await openOwnTable();
  kitchen = await openWorkspace('kitchen');
  sink = await MailSink.start();
});

afterAll(() => sink.stop());

beforeEach(async () => {
  sink.heal();
  await restoreItems([]);
});

const store = (count = 1) => storeForRecipients(kitchen.workspaceId, count);
const mailed = () => sink.mails.map(({ to }) => to[0]).sort();

describe('one poisoned record of 100', () => {
  it('does not delay the others', async () => {
    const jobs = await store(98);
    const [poisoned] = await storeResponse(kitchen.workspaceId, {}, { recipients: ['poisoned@example.com'] });
    const { responseId = '' } = poisoned ?? {};
    const key = keys.record(kitchen.workspaceId, 'formResponse', responseId);
    await putAll(testTable(), [{ ...key, record: '{"answers":' }]);
    const records = [...jobs.slice(0, 50), ...(poisoned ? [poisoned] : []), ...jobs.slice(50)].map(streamRecord);
    records.splice(20, 0, { eventID: 'keyless', dynamodb: { SequenceNumber: '1000' } });
    expect(await deliver(records)).toEqual([]);
    expect(mailed()).toEqual(recipientsOf(98).sort());
    expect(await parkedJobs()).toMatchObject([{ recipient: 'poisoned@example.com' }]);
  });
});

it('the delivery of mails does not delay a submit while the mail service is slow, and loses nothing', async () => {
  const { keys: apiKeys } = await openWorkspace('kitchen', withForm);
  const submit = () =>
    call(`POST /api/public/forms/${formSlug}?apiKey=${apiKeys.reader}`, { body: { message: 'Hello' } });
  await requireUndisturbedSubmits(sink, { kind: 'hang' }, submit);
});

it('the delivery of mails limits the time of a call to a mail service that does not respond', async () => {
  const jobs = await store(16);
  sink.plan(({ to }) => (to[0] === 'owner-3@example.com' ? { kind: 'hang' } : undefined));
  const { result, waited } = await timed(() => deliverJobs(jobs));
  expect(result).toEqual([]);
  expect(waited).toBeLessThan(20_000);
  expect(sink.mails).toHaveLength(15);
  expect(await pendingJobs()).toMatchObject([{ recipient: 'owner-3@example.com', attempts: 1 }]);
});
