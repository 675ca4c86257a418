import { expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { exported } from '#test/support/document-text.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('records');
const other = await openWorkspace('records');
const { manage } = kitchen;

it('GET /manage/workspace returns the workspace of the key', async () => {
  const { status, json, headers } = await manage('GET workspace');
  expect([status, json]).toEqual([200, (await exported(kitchen.workspaceId)).workspace]);
  const again = await manage('GET workspace', undefined, { headers: { 'if-none-match': headers['etag'] ?? '' } });
  expect(again.status).toBe(304);
  expect((await other.manage('GET workspace')).json.id).toBe(other.workspaceId);
});

it('GET /manage/workspace requires its permission', async () => {
  const { json } = await call('GET /api/v1/manage/workspace', { key: kitchen.secretOf('none') });
  expect(json.message).toContain('workspace:settings:read');
});
