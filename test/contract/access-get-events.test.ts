import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { keys } = await openWorkspace('access');
const { admin } = keys;
const other = await openWorkspace('access');
const get = (id: string, key = admin, headers = {}) => call(`GET /api/v1/manage/audit-events/${id}`, { key, headers });

describe('reading an audit event', () => {
  it('answers the event, and 304 for its ETag', async () => {
    const { json } = await call('GET /api/v1/manage/audit-events', { key: admin });
    const { status, json: event, headers } = await get(json.data[0].id);
    expect([status, event]).toEqual([200, json.data[0]]);
    expect((await get(event.id, admin, { 'if-none-match': headers['etag'] })).status).toBe(304);
    expect((await get(event.id, other.keys.admin)).status).toBe(404);
    expect((await get(event.id, keys.chief)).status).toBe(403);
  });

  it('answers 404 for an id that no event can have', async () => {
    for (const id of ['evt_1', 'x', 'evt_0mwrxna0x2befb2a7b792']) expect((await get(id)).status).toBe(404);
  });
});
