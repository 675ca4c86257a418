import { afterAll, describe, expect, it } from '@jest/globals';
import { readCmsSchema } from '#lib/table/cms/cms-schema.ts';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { Table } from '#lib/table/table.ts';
import { call } from '#test/support/call.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';
import { updateEntry } from '../../functions/cms-entry-update/handler.ts';

const ids = Array.from({ length: 100 }, (_, index) => `guest_${index}`);
const label = { key: 'label', name: { en: 'Label' }, type: 'text' };
const dish = { key: 'dish', name: { en: 'Dish' }, type: 'relation', relation: { to: 'menu:product', many: false } };
const guests = { key: 'guests', name: { en: 'Guests' }, type: 'relation', relation: { to: 'cms:guests', many: true } };

/** Products and tables relate to guests. */
const { keys, workspaceId } = await openWorkspace('kitchen', ({ cms }) => {
  cms.models.push(
    { id: 'guests', name: { en: 'Guests' }, fields: [label, dish] },
    { id: 'tables', name: { en: 'Tables' }, fields: [guests] },
  );
  cms.entries.push(...ids.map((id) => ({ id, modelId: 'guests', values: { label: 'before' } })));
  cms.entries.push({ id: 'table', modelId: 'tables', values: { guests: ids } });
});
const proxy = await FaultProxy.start();
afterAll(() => proxy.stop());

describe('100 updates, 25 at a time, of entries that products and other entries relate to', () => {
  it('cancel no transaction of each other where DynamoDB cancels conflicting ones, and all show immediately', async () => {
    const scope = { workspaceId, actor: { type: 'key', id: 'key', name: 'Key' } } as const;
    const schema = await readCmsSchema(testTable(), scope);
    const model = schema.models.get('guests');
    const field = model?.fields.find(({ key }) => key === 'label');
    const product = model?.fields.find(({ key }) => key === 'dish');
    if (!model || !field || !product) throw new Error('The database is not there.');
    proxy.imitateAws();
    const client = tableClient('import', { endpoint: proxy.url });
    const table = () => new Table({ client, name: testTable().name });
    const update = (id: string) =>
      updateEntry(table(), scope, {
        schema,
        model,
        id,
        visibility: { drafts: true },
        change: {
          published: undefined,
          fields: [
            { field, value: 'after' },
            { field: product, value: 'prod_1' },
          ],
        },
        ifMatch: undefined,
        idempotency: undefined,
        requestId: 'request',
      });
    const left = [...ids];
    const lane = async () => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) await update(id);
    };
    await Promise.all(Array.from({ length: 25 }, lane));
    const transactions = proxy.calls.filter(({ operation }) => operation === 'TransactWriteItems');
    proxy.heal();
    expect(transactions).toHaveLength(ids.length);
    const menu = await call(`GET /api/public/menu/products?apiKey=${keys.reader}&ids=prod_1`);
    const shown = menu.json.data[0].cmsData.guests;
    expect(shown.map((guest: { label: string }) => guest.label)).toEqual(ids.map(() => 'after'));
    const tables = await call('GET /api/public/cms/tables/list?fields=guests(label)', { key: keys.reader });
    expect(new Set(tables.json[0].guests.map((guest: { label: string }) => guest.label))).toEqual(new Set(['after']));
  });
});
