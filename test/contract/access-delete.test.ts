import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { keys } = await openWorkspace('access');
const { admin, boss, second } = keys;
const remove = (id: string, { key = admin, headers = {} } = {}) =>
  call(`DELETE /api/v1/manage/members/${id}`, { key, headers });
const statusOf = async (key: string) => (await call('GET /api/public/cms/chefs/list', { key })).status;

describe('deleting a member', () => {
  it("answers 204 without a body, and the member's keys are refused immediately", async () => {
    expect(await statusOf(keys.member)).toBe(200);
    const { headers } = await call('GET /api/v1/manage/members/mem_1', { key: admin });
    expect((await remove('mem_1', { headers: { 'if-match': '"other"' } })).status).toBe(412);
    const removed = await remove('mem_1', { headers: { 'if-match': headers['etag'] ?? '' } });
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect(await statusOf(keys.member)).toBe(401);
    expect((await remove('mem_1')).status).toBe(404);
    const { json } = await call('GET /api/v1/manage/audit-events?recordKind=members&recordId=mem_1', { key: admin });
    expect(json.data[0]).toMatchObject({ action: 'delete', changed: [] });
    // The key of a deleted member can still be revoked. It is valid again when the member is created again.
    const key = await call('PATCH /api/v1/manage/api-keys/key_member', { key: admin, body: { name: 'Orphan' } });
    expect([key.status, key.json.memberId]).toEqual([200, 'mem_1']);
    const again = await call('PUT /api/v1/manage/members/mem_1', { key: admin, body: { name: 'Lina' } });
    expect([again.status, await statusOf(keys.member)]).toEqual([201, 200]);
  });

  it('answers 204 for a repeated Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'remove' };
    expect((await remove('mem_2', { headers })).status).toBe(204);
    expect((await remove('mem_2', { headers })).status).toBe(204);
  });

  it('lets only one of two managers remove the other if both try concurrently', async () => {
    const statuses = (await Promise.all([remove('mem_2nd', { key: boss }), remove('mem_boss', { key: second })])).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    const left = await call('GET /api/v1/manage/members?q=example.com', { key: admin });
    expect(left.json.data).toHaveLength(1);
  });

  it('requires its permission', async () => {
    expect((await remove('mem_1', { key: keys.chief })).json.message).toContain('access:member:manage');
  });
});
