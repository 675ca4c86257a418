import { afterAll, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { openKitchen } from '#test/support/kitchen.ts';

const ids = Array.from({ length: 100 }, (_, index) => `guest_${index}`);
const label = { key: 'label', name: {}, type: 'text' };
const dish = { key: 'dish', name: {}, type: 'relation', relation: { to: 'menu:product', many: false } };
const guests = { key: 'guests', name: {}, type: 'relation', relation: { to: 'cms:guests', many: true } };

/** Products show guests, and tables relate to them. */
const { keys } = await openKitchen(({ cms }) => {
  cms.models.push({ id: 'guests', name: {}, fields: [label, dish] }, { id: 'tables', name: {}, fields: [guests] });
  cms.entries.push(...ids.map((id) => ({ id, modelId: 'guests', values: { label: 'before' } })));
  cms.entries.push({ id: 'table', modelId: 'tables', values: { guests: ids } });
});
// What is called below is loaded from here on, and finds its table behind the proxy.
const proxy = await FaultProxy.start(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
afterAll(() => proxy.stop());

const update = (id: string, text: string) =>
  call(`PATCH /api/public/cms/guests/${id}?fields=id`, {
    key: keys.chief,
    body: { values: { label: text, dish: 'prod_1' } },
  });

describe('100 updates at once of entries that products and other entries show', () => {
  it('all succeed where DynamoDB cancels transactions that meet, and all show at once', async () => {
    await update('guest_0', 'first');
    proxy.imitateAws();
    const answers = await Promise.all(ids.map((id) => update(id, 'after')));
    proxy.heal();
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
    const menu = await call('GET /api/public/menu/products?ids=prod_1', { key: keys.reader });
    const shown = menu.json.data[0].cmsData.guests;
    expect(shown.map((guest: { label: string }) => guest.label)).toEqual(ids.map(() => 'after'));
    const tables = await call('GET /api/public/cms/tables/list?fields=guests(label)', { key: keys.reader });
    expect(new Set(tables.json[0].guests.map((guest: { label: string }) => guest.label))).toEqual(new Set(['after']));
  });
});
