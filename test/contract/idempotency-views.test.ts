import { expect, it } from '@jest/globals';
import { Permission } from '#lib/domain/access/permission.ts';
import { call } from '#test/support/call.ts';
import { openManageKitchen } from '#test/support/manage-kitchen.ts';

const seen = Permission.options.filter((permission) => permission !== 'cms:entry:read-hidden');
const kitchen = await openManageKitchen((document) => {
  const { id } = document.workspace;
  document.members.push({ id: 'mem_seen', name: 'Seen', permissions: seen });
  document.apiKeys.push({
    id: 'key_seen',
    name: 'Of a member',
    secret: `seen-${id}`,
    memberId: 'mem_seen',
    permissions: Permission.options,
  });
  const field = (key: string, hidden: boolean) => ({ key, name: { en: key }, type: 'text', hidden });
  document.cms = {
    models: [{ id: 'notes', name: { en: 'Notes' }, fields: [field('title', false), field('secret', true)] }],
    entries: [{ id: 'note_1', modelId: 'notes', values: { title: 'A', secret: 'nobody else' } }],
  };
});

it.each([
  ['POST cms-entries', { modelId: 'notes', id: 'note_2', values: { title: 'B', secret: 'nobody else' } }],
  ['PATCH cms-entries/notes/note_1', { values: { title: 'C' } }],
])('a repeated %s shows no field that is hidden from the member of its key', async (request, body) => {
  const headers = { 'idempotency-key': `views of ${request}` };
  const first = await kitchen.manage(request, body, { headers });
  expect(first.json.values.secret).toBe('nobody else');
  const [method, path] = request.split(' ');
  const again = await call(`${method} /api/v1/manage/${path}`, { key: `seen-${kitchen.workspaceId}`, headers, body });
  expect([again.status, again.json.values.title]).toEqual([first.status, body.values.title]);
  expect(again.text).not.toContain('nobody else');
});
