import { expect, it } from '@jest/globals';
import { startTableProxy } from '#test/support/proxied-table.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { manage } = await openWorkspace('records', (document) => {
  document.cms = {
    models: [{ id: 'notes', name: { en: 'Notes' }, fields: [{ key: 'title', name: { en: 'Title' }, type: 'text' }] }],
    entries: [],
  };
});
const proxy = await startTableProxy();

const create = () => manage('POST cms-entries', { modelId: 'notes', values: { title: 'One' } });

it('a failed early read of a database is a 503, not an unhandled rejection', async () => {
  expect((await create()).status).toBe(201);
  proxy.plan('any', { kind: 'error', type: 'ProvisionedThroughputExceededException', status: 400 }, 1_000);
  expect((await create()).status).toBe(503);
  await proxy.calm();
  proxy.heal();
  expect((await create()).status).toBe(201);
});
