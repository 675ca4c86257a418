import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AuditEvents } from '#lib/table/access/audit-events.ts';
import { CmsEntries } from '#lib/table/cms/cms-entries.ts';
import { call } from '#test/support/call.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { openKitchen } from '#test/support/kitchen.ts';
import { testTable } from '#test/support/world.ts';

const text = (key: string) => ({ key, name: {}, type: 'text' });
const { keys, workspaceId } = await openKitchen(({ cms }) => {
  cms.models.push({ id: 'notes', name: {}, fields: [text('title'), text('place')] });
  cms.entries.push({ id: 'note', modelId: 'notes', values: { title: 'before', place: 'before' } });
});
// The functions look for their table at their first call.
const proxy = await FaultProxy.start(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
afterAll(() => proxy.stop());

const update = async (values: object) => {
  const answer = await call('PATCH /api/public/cms/notes/note', { key: keys.editor, body: { values } });
  expect(answer.status).toBe(200);
  return answer;
};
const read = async () => (await call('GET /api/public/cms/notes/note', { key: keys.editor })).text;
const operations = () => proxy.calls.map(({ operation }) => operation);

/** Another writer, who needs one call only. */
async function updateByOther(): Promise<void> {
  const table = testTable();
  const entry = await new CmsEntries(table, { workspaceId }).find('notes', 'note');
  if (!entry) throw new Error('The note is there.');
  await table.update(entry, {
    UpdateExpression: 'SET #values.title = :new, #values.place = :new, revision = :new',
    ExpressionAttributeNames: { '#values': 'values' },
    ExpressionAttributeValues: { ':new': 'theirs' },
  });
}

beforeEach(async () => {
  await update({ title: 'before', place: 'before' });
  await proxy.forget();
});

describe('an update of a field with a column', () => {
  it('reads nothing after its transaction: what it has stored is known', async () => {
    const answer = await update({ title: 'alone' });
    const [first, ...others] = operations();
    expect(first).toBe('BatchGetItem');
    expect(others.slice(others.indexOf('TransactWriteItems'))).not.toContain('BatchGetItem');
    expect(answer.text).toBe(await read());
  });

  it('goes on with the entry that its refused transaction has met', async () => {
    proxy.plan('UpdateItem', { kind: 'late', meanwhile: updateByOther }, 1);
    const answer = await update({ title: 'theirs' });
    const made = operations();
    const tries = made.slice(made.indexOf('TransactWriteItems'), made.lastIndexOf('TransactWriteItems'));
    expect(tries).toContain('TransactWriteItems');
    expect(tries).not.toContain('BatchGetItem');
    expect(answer.json).toMatchObject({ title: 'theirs', place: 'theirs' });
    expect(answer.text).toBe(await read());
    const events = new AuditEvents(testTable(), { workspaceId });
    const { events: newest } = await events.page({ recordKind: 'cms-entries', recordId: 'notes/note' }, 1);
    expect(newest.map(({ changed }) => changed)).toEqual([['updatedAt']]);
  });
});
