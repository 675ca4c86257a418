import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const {
  keys: { admin, clerk },
} = await openWorkspace('access');
const put = (id: string, body: unknown, { key = admin, headers = {} } = {}) =>
  call(`PUT /api/v1/manage/members/${id}`, { key, body, headers });

describe('replacing a member', () => {
  it('creates an absent member, and replaces an existing one as a whole', async () => {
    const made = await put('mem_new', { name: 'New', email: 'new@example.com', permissions: ['cms:entry:read'] });
    expect([made.status, made.headers['location']]).toEqual([201, '/api/v1/manage/members/mem_new']);
    const replaced = await put('mem_new', { name: 'Newer' });
    expect([replaced.status, replaced.json]).toEqual([
      200,
      { id: 'mem_new', name: 'Newer', email: null, active: true, permissions: [] },
    ]);
    expect((await put('mem_other', { name: 'Other', email: 'new@example.com' })).status).toBe(201);
  });

  it('refuses permissions that the caller lacks, and another id in the body', async () => {
    const body = { name: 'x', permissions: ['forms:form:manage'] };
    expect((await put('mem_x', body, { key: clerk })).json.message).toContain('forms:form:manage');
    expect((await put('mem_x', { id: 'mem_y', name: 'x' })).json.errors[0]).toMatchObject({ path: 'id' });
    expect((await put('a%20b', { name: 'x' })).status).toBe(404);
  });
});
