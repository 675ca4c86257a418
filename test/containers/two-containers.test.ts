import { afterAll, expect, it } from '@jest/globals';
import { revokeKey } from '#test/support/change-key.ts';
import { Containers } from '#test/support/containers.ts';
import { ageState } from '#test/support/old-log.ts';
import { changedViews, expectSameViews, views } from '#test/support/views.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { workspaceId, keys } = await openWorkspace('kitchen');
const containers = await Containers.start(2);
afterAll(() => containers[Symbol.asyncDispose]());

const update = (container: number, path: string, values: object) =>
  containers.at(container).call(`PATCH /api/public/cms/${path}`, { key: keys.editor, body: { values } });
const same = (key = keys.editor) => expectSameViews(containers.all, key);

it('a second container shows an update immediately, in lists, single entries, relations, cmsData and ETags', async () => {
  const before = await same();
  for (const { status } of Object.values(before)) expect(status).toBe(200);
  expect((await update(0, 'things/thing_1', { title: 'From the first' })).status).toBe(200);
  const updated = await same();
  // Chef 1 relates to the thing, and every chef relates to chef 1.
  expect(changedViews(before, updated).length).toBeGreaterThanOrEqual(4);
  expect(updated['GET /api/public/cms/things/thing_1']?.text).toContain('From the first');
  expect((await update(1, 'chefs/chef_1', { signature: ['prod_3'], joined: '2026-03-01' })).status).toBe(200);
  const related = await same();
  expect(changedViews(updated, related)).toContain('GET /api/public/menu/products?ids=prod_3');
  expect(related['GET /api/public/menu/products?ids=prod_3']?.text).toContain('2026-03-01');
});

it('all containers refuse a revoked key immediately', async () => {
  const statuses = () =>
    Promise.all(
      containers.all.map(async (container) => (await container.call(String(views[0]), { key: keys.reader })).status),
    );
  // From the third time on, the log proves the key.
  await ageState(workspaceId);
  for (let times = 0; times < 3; times++) expect(new Set(await statuses())).toEqual(new Set([200]));
  await revokeKey(workspaceId, 'key_reader');
  expect(new Set(await statuses())).toEqual(new Set([401]));
});
