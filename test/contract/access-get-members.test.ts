import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { keys } = await openWorkspace('access');
const { admin } = keys;
const get = (id: string, key = admin, headers = {}) => call(`GET /api/v1/manage/members/${id}`, { key, headers });

describe('reading a member', () => {
  it('answers the record, and 304 for its ETag and for *', async () => {
    const { status, json, headers } = await get('mem_1');
    expect(status).toBe(200);
    expect(json).toEqual({
      id: 'mem_1',
      name: 'Lina',
      email: null,
      active: true,
      permissions: ['messaging:conversation:engage'],
    });
    for (const tag of [headers['etag'], '*']) {
      expect((await get('mem_1', admin, { 'if-none-match': tag })).status).toBe(304);
    }
  });

  it('answers 404 for an unknown member, and 403 without the permission', async () => {
    expect((await get('mem_none')).json).toEqual({ code: 'not_found', message: 'Member not found.' });
    expect((await get('a%2Fb')).status).toBe(404);
    expect((await get('mem_1', keys.chief)).json.message).toContain('access:member:read');
  });
});
