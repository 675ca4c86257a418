import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { CmsEntries } from '#lib/table/cms/cms-entries.ts';
import { readCmsSchema } from '#lib/table/cms/cms-schema.ts';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { milliseconds } from '#lib/table/dynamodb/clock.ts';
import { Unavailable } from '#lib/table/errors.ts';
import { Table } from '#lib/table/table.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';
import { updateEntry } from '../../functions/cms-entry-update/handler.ts';

/** One field has a column, so that its update is announced and its result is read. */
const label = { key: 'label', name: { en: 'Label' }, type: 'text' };
const text = { key: 'text', name: { en: 'Text' }, type: 'longText', indexed: false };
const { workspaceId } = await openWorkspace('kitchen', ({ cms }) => {
  cms.models.push({ id: 'loners', name: { en: 'Loners' }, fields: [label, text] });
  cms.entries.push({ id: 'one', modelId: 'loners', values: { label: 'before', text: 'before' } });
});
const proxy = await FaultProxy.start();
const client = tableClient('request', { endpoint: proxy.url });
afterEach(() => proxy.heal());
afterAll(async () => {
  client.destroy();
  await proxy.stop();
});

const scope = { workspaceId, actor: { type: 'key', id: 'key', name: 'Key' } } as const;
const stored = async () => (await new CmsEntries(testTable(), scope).find('loners', 'one'))?.values;

/** Updates a field of the entry. The test decides when the request's time ends. */
async function update(key: string, value: string, timeOver: AbortController, deadline = milliseconds() + 10_000) {
  const schema = await readCmsSchema(testTable(), scope);
  const model = schema.models.get('loners');
  const field = model?.fields.find((field) => field.key === key);
  if (!model || !field) throw new Error('The database is not there.');
  const table = new Table({ client, name: testTable().name, signal: timeOver.signal, deadline });
  return updateEntry(table, scope, {
    schema,
    model,
    id: 'one',
    visibility: { drafts: true },
    change: { published: undefined, fields: [{ field, value }] },
    ifMatch: undefined,
    idempotency: undefined,
    requestId: 'request',
  });
}

describe.each(['label', 'text'])('an update of %s whose time is over', (key) => {
  it('is answered if it is stored and its answer is on its way', async () => {
    const timeOver = new AbortController();
    proxy.plan('TransactWriteItems', { kind: 'late', meanwhile: async () => timeOver.abort() }, 1);
    const entry = await update(key, 'in time', timeOver);
    expect(entry.values).toMatchObject({ [key]: 'in time' });
    expect(await stored()).toMatchObject({ [key]: 'in time' });
  });

  it('is answered if it is stored and read again', async () => {
    const timeOver = new AbortController();
    proxy.chance = ({ operation }) => {
      const isStored = proxy.calls.some((call) => call.operation === 'TransactWriteItems');
      if (operation !== 'TransactWriteItems' && isStored) timeOver.abort();
      return undefined;
    };
    expect((await update(key, 'looked at', timeOver)).values).toMatchObject({ [key]: 'looked at' });
  });

  it('is answered by a process that was suspended beyond the deadline', async () => {
    const passed = milliseconds() - 1_000;
    expect((await update(key, 'held up', new AbortController(), passed)).values).toMatchObject({ [key]: 'held up' });
  });

  it('is unavailable if it is not stored', async () => {
    const before = await stored();
    const timeOver = new AbortController();
    proxy.chance = ({ operation }) => {
      if (operation !== 'TransactWriteItems') return undefined;
      timeOver.abort();
      return { kind: 'hang' };
    };
    await expect(update(key, 'too late', timeOver)).rejects.toThrow(Unavailable);
    expect(await stored()).toEqual(before);
  });
});
