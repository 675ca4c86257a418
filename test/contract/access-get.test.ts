import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { keys } = await openWorkspace('access');
const { admin } = keys;
const other = await openWorkspace('access');
const path = '/api/v1/manage/api-keys';
const get = (id: string, key = admin) => call(`GET ${path}/${id}`, { key });

describe('reading a key', () => {
  it('answers the record without secret and hash', async () => {
    const { status, json, headers } = await get('key_member');
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual([
      'id',
      'name',
      'memberId',
      'permissions',
      'expiresAt',
      'revokedAt',
      'lastUsedAt',
    ]);
    expect(json).toMatchObject({ id: 'key_member', name: 'member', memberId: 'mem_1' });
    expect(headers['etag']).toMatch(/^"[\w-]{22}"$/);
  });

  it('shows the hour of the last use, which does not change the ETag', async () => {
    const before = await get('key_cmsOnly');
    expect(before.json.lastUsedAt).toBeNull();
    expect((await call('GET /api/public/cms/chefs/list', { key: keys.cmsOnly })).status).toBe(200);
    let after = await get('key_cmsOnly');
    for (let tries = 0; tries < 1_000 && after.json.lastUsedAt === null; tries++) after = await get('key_cmsOnly');
    expect(after.json.lastUsedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/);
    expect(after.headers['etag']).toBe(before.headers['etag']);
  });

  it('records no use of a refused key', async () => {
    await call('GET /api/public/cms/chefs/list', { key: keys.revoked });
    await call('GET /api/public/cms/chefs/list', { key: keys.powerless });
    expect((await get('key_revoked')).json.lastUsedAt).toBeNull();
    expect((await get('key_powerless')).json.lastUsedAt).toBeNull();
  });

  it('answers 404 for an absent key, with the same bytes for a key of another workspace', async () => {
    await call(`POST ${path}`, { key: other.keys.admin, body: { id: 'key_there', name: 'There' } });
    const absent = await get('key_none');
    const foreign = await get('key_there');
    const malformed = await get('a%23b');
    expect([absent.status, foreign.text, malformed.text]).toEqual([404, absent.text, absent.text]);
    expect(absent.json).toEqual({ code: 'not_found', message: 'API key not found.' });
  });

  it('requires its permission, and answers 405 for PUT and DELETE', async () => {
    expect((await get('key_member', keys.chief)).json.message).toContain('access:key:read');
    for (const method of ['PUT', 'DELETE']) {
      const { status, headers } = await call(`${method} ${path}/key_member`, { key: admin, body: {} });
      expect([method, status, headers['allow']]).toEqual([method, 405, 'GET, HEAD, PATCH']);
    }
  });
});
