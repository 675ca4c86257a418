import { expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openDatabases } from '#test/support/databases.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openDatabases();
const other = await openWorkspace('records');
const { manage } = kitchen;

it('DELETE /manage/cms-models removes a database without entries, if the condition holds', async () => {
  const old = { headers: { 'if-match': '"old"' } };
  expect((await manage('DELETE cms-models/empty', undefined, old)).json.code).toBe('precondition_failed');
  expect((await other.manage('DELETE cms-models/empty')).status).toBe(404);
  const { headers } = await manage('GET cms-models/empty');
  const current = { headers: { 'if-match': headers['etag'] ?? '' } };
  expect((await manage('DELETE cms-models/empty', undefined, current)).status).toBe(204);
  expect((await manage('GET cms-models/empty')).status).toBe(404);
  expect((await manage('DELETE cms-models/empty')).status).toBe(404);
});

it('DELETE /manage/cms-models refuses a database with entries, and a caller without the permission', async () => {
  const refused = await manage('DELETE cms-models/notes');
  expect([refused.status, refused.json.code]).toEqual([409, 'in_use']);
  expect(refused.json.errors).toEqual([expect.objectContaining({ path: 'cms-entries/notes/note_1', code: 'in_use' })]);
  const key = kitchen.secretOf('cms:model:read');
  const denied = await call('DELETE /api/v1/manage/cms-models/notes', { key });
  expect([denied.status, denied.json.message]).toEqual([403, expect.stringContaining('cms:model:manage')]);
  expect((await manage('GET cms-models/notes')).status).toBe(200);
});
