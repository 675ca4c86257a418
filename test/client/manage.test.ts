import { beforeAll, expect, it } from '@jest/globals';
import { WorkspaceClient } from '#lib/client/client.ts';
import { demoKeys } from '#test/support/demo-workspace.ts';
import { openTarget } from '#test/support/target.ts';

let client: WorkspaceClient;
beforeAll(async () => {
  client = new WorkspaceClient({ baseUrl: (await openTarget()).url, apiKey: demoKeys.editor });
});

it('an entry is read and changed by the ids of its database and its own', async () => {
  const { cmsEntries } = client.manage;
  const id = 'chefs/chef_sara';
  const before = await cmsEntries.get(id);
  expect(before.record).toMatchObject({ id: 'chef_sara', modelId: 'chefs' });
  const { record, etag } = await cmsEntries.update(id, { published: true }, { ifMatch: before.etag });
  expect([record.id, etag]).toEqual(['chef_sara', before.etag]);
  const page = await cmsEntries.list({ modelId: 'chefs', limit: 2, filter: { id: { in: 'chef_sara' } } });
  expect(page).toMatchObject({ data: [{ id: 'chef_sara' }], next: null });
});

it('an id that would lead elsewhere is refused before anything is sent', () => {
  expect(() => client.manage.cmsEntries.get('../forms')).toThrow(RangeError);
});

it('many changes are carried out, each on its own', async () => {
  const kind = 'cms-entries';
  const results = await client.manage.changes([
    { method: 'PATCH', kind, id: 'chefs/chef_sara', record: { published: true } },
    { method: 'PATCH', kind, id: 'chefs/nobody', record: { published: true } },
  ]);
  expect(results).toMatchObject([
    { status: 200, id: 'chefs/chef_sara' },
    { status: 404, error: { code: 'not_found' } },
  ]);
});
