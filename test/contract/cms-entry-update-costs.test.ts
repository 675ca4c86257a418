import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listEvents } from '#lib/access/audit-log.ts';
import { CmsEntries } from '#lib/table/cms/cms-entries.ts';
import { call } from '#test/support/call.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const text = (key: string) => ({ key, name: { en: key }, type: 'text' });
const { keys, workspaceId } = await openWorkspace('kitchen', ({ cms }) => {
  cms.models.push({ id: 'notes', name: { en: 'Notes' }, fields: [text('title'), text('place')] });
  for (const id of ['note', 'busy']) {
    cms.entries.push({ id, modelId: 'notes', values: { title: 'before', place: 'before' } });
  }
  const about = { key: 'about', name: { en: 'About' }, type: 'relation', relation: { to: 'cms:notes', many: false } };
  cms.models.push({ id: 'links', name: { en: 'Links' }, fields: [text('title'), about] });
  cms.entries.push({ id: 'link', modelId: 'links', values: { title: 'before', about: 'busy' } });
});
// The functions choose their table at their first call.
const proxy = await FaultProxy.start();
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
afterAll(() => proxy.stop());

const update = async (values: object, id = 'note') => {
  const answer = await call(`PATCH /api/public/cms/notes/${id}`, { key: keys.editor, body: { values } });
  expect(answer.status).toBe(200);
  return answer;
};
const read = async (id = 'note') => (await call(`GET /api/public/cms/notes/${id}`, { key: keys.editor })).text;
const operations = () => proxy.calls.map(({ operation }) => operation);

/** Another writer, which makes one call only. */
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
  it('makes no read after its transaction', async () => {
    const answer = await update({ title: 'alone' });
    const [first, ...others] = operations();
    expect(first).toBe('BatchGetItem');
    expect(others.slice(others.indexOf('TransactWriteItems'))).not.toContain('BatchGetItem');
    expect(answer.text).toBe(await read());
  });

  it('continues with the entry that its refused transaction returned', async () => {
    proxy.plan('BatchGetItem', { kind: 'late', meanwhile: updateByOther }, 1);
    const answer = await update({ title: 'theirs' });
    const made = operations();
    const tries = made.slice(made.indexOf('TransactWriteItems'), made.lastIndexOf('TransactWriteItems'));
    expect(tries).toContain('TransactWriteItems');
    expect(tries).not.toContain('BatchGetItem');
    expect(answer.json).toMatchObject({ title: 'theirs', place: 'theirs' });
    expect(answer.text).toBe(await read());
    const query = { recordKind: 'cms-entries', recordId: 'notes/note', limit: 1 };
    const { data: newest } = await listEvents(testTable(), { workspaceId }, query);
    expect(newest.map(({ changed }) => changed)).toEqual([['updatedAt']]);
  });

  it('makes no announcement, and no call after its transaction', async () => {
    await update({ title: 'alone' });
    expect(operations().filter((operation) => operation !== 'BatchGetItem' && operation !== 'Query')).toEqual([
      'TransactWriteItems',
    ]);
  });
});

describe('updates of one entry at once in one container', () => {
  const lines = ['one', 'two', 'three', 'four'];

  it('read the entry once each, and take over what the update before has stored', async () => {
    const titles = await Promise.all(lines.map(async (title) => (await update({ title })).json.title));
    expect(titles).toEqual(lines);
    const each = (operation: string) => lines.map(() => operation);
    expect(operations().toSorted()).toEqual([...each('BatchGetItem'), ...each('TransactWriteItems')]);
  });

  it('keep what another container has stored in between', async () => {
    proxy.plan('TransactWriteItems', { kind: 'late', meanwhile: updateByOther }, 1);
    await Promise.all(lines.map((title) => update({ title })));
    const { title, place } = JSON.parse(await read());
    expect(lines).toContain(title);
    expect(place).toBe('theirs');
  });
});

describe('an update of an entry with a relation', () => {
  const made = async (fields: string) => {
    const link = `PATCH /api/public/cms/links/link?fields=${fields}`;
    const change = (title: string) => call(link, { key: keys.editor, body: { values: { title } } });
    await change('warm');
    await proxy.forget();
    expect((await change('next')).status).toBe(200);
    return operations();
  };

  it('reads no log of changes if the answer does not show the relation', async () => {
    expect(await made('title')).toEqual(['BatchGetItem', 'TransactWriteItems']);
  });

  it('reads the log of changes beside the entry if the answer shows the relation', async () => {
    expect((await made('title,about')).toSorted()).toEqual(['BatchGetItem', 'Query', 'TransactWriteItems']);
  });
});
