import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { type Document, load } from '#test/support/world.ts';

const request = 'GET /api/public/cms/chefs/list?limit=1';
const statusOf = async (key: string) => (await call(request, { key })).status;

/** Imports keys and members into an open kitchen; its other records stay. */
const importAgain = ({ workspace }: Document, records: object) => load({ version: 1, workspace, ...records });

describe('a change of a key takes effect on the next request', () => {
  const past = '2026-01-02T00:00:00.000Z';
  it.each<[string, object, number]>([
    ['revoked', { revokedAt: past }, 401],
    ['revoked in the future', { revokedAt: '2999-01-01T00:00:00.000Z' }, 200],
    ['expired', { expiresAt: past }, 401],
    ['expiring in the future', { expiresAt: '2999-01-01T00:00:00.000Z' }, 200],
    ['deprived of a permission', { permissions: ['menu:product:read'] }, 403],
    ['deprived of all permissions', { permissions: [] }, 403],
    ['given to an inactive member', { memberId: 'mem_2' }, 401],
    ['given to an active member', { memberId: 'mem_1' }, 200],
    ['given another secret', { secret: 'another-secret-of-this-key' }, 401],
  ])('a change of a key takes effect on the next request when it is %s', async (_, change, status) => {
    const { document, keys } = await openWorkspace('kitchen');
    expect(await statusOf(keys.reader)).toBe(200);
    await importAgain(document, { apiKeys: [{ ...document.apiKeys[0], ...change }] });
    expect(await statusOf(keys.reader)).toBe(status);
    expect(await statusOf(keys.editor)).toBe(200);
  });

  it('a change of a key takes effect on the next request if it grants a permission', async () => {
    const { document, keys } = await openWorkspace('kitchen');
    expect(await statusOf(keys.powerless)).toBe(403);
    const powerless = document.apiKeys.find(({ id }: { id: string }) => id === 'key_powerless');
    await importAgain(document, { apiKeys: [{ ...powerless, permissions: ['cms:entry:read'] }] });
    expect(await statusOf(keys.powerless)).toBe(200);
  });

  it('a change of a key takes effect on the next request if it undoes a revocation', async () => {
    const { document, keys } = await openWorkspace('kitchen');
    expect(await statusOf(keys.revoked)).toBe(401);
    const revoked = document.apiKeys.find(({ id }: { id: string }) => id === 'key_revoked');
    await importAgain(document, { apiKeys: [{ ...revoked, revokedAt: null }] });
    expect(await statusOf(keys.revoked)).toBe(200);
  });

  it('a change of a key takes effect on the next request when it is removed', async () => {
    const { document, keys } = await openWorkspace('kitchen');
    const apiKeys = document.apiKeys.filter(({ id }: { id: string }) => id !== 'key_reader');
    await load({ version: 1, workspace: document.workspace, apiKeys }, { prune: true });
    expect(await statusOf(keys.reader)).toBe(401);
    expect(await statusOf(keys.editor)).toBe(200);
  });
});

describe('a secret that moves to another workspace', () => {
  it('gives access to that workspace from the next request on', async () => {
    const [from, to] = await Promise.all([openWorkspace('kitchen'), openWorkspace('kitchen')]);
    const { id, secret, ...key } = from.document.apiKeys[0];
    const texts = async () => (await call(request, { key: secret })).text;
    expect(await texts()).toContain(from.canary);
    await importAgain(from.document, { apiKeys: [{ ...key, id, secret: `${secret}-new` }] });
    await importAgain(to.document, { apiKeys: [{ ...key, id: 'key_moved', secret }] });
    expect(await texts()).toContain(to.canary);
    expect(await texts()).not.toContain(from.canary);
  });
});

describe('a change of a member takes effect on the next request', () => {
  it('a change of a member takes effect on the next request if it deactivates or activates the member', async () => {
    const { document, keys } = await openWorkspace('kitchen');
    const [lina] = document.members;
    expect(await statusOf(keys.member)).toBe(200);
    await importAgain(document, { members: [{ ...lina, active: false }] });
    expect(await statusOf(keys.member)).toBe(401);
    expect(await statusOf(keys.reader)).toBe(200);
    await importAgain(document, { members: [lina] });
    expect(await statusOf(keys.member)).toBe(200);
  });

  it('a change of a member takes effect on the next request when it is removed', async () => {
    const { document, keys } = await openWorkspace('kitchen');
    expect(await statusOf(keys.member)).toBe(200);
    await load({ version: 1, workspace: document.workspace, members: [document.members[1]] }, { prune: true });
    expect(await statusOf(keys.member)).toBe(401);
  });
});

describe('a key that is created without a list of permissions', () => {
  it('reads entries, and neither updates them nor sees hidden fields', async () => {
    const { document } = await openWorkspace('kitchen');
    const secret = `plain-${document.workspace.id}`;
    await importAgain(document, { apiKeys: [{ id: 'key_plain', name: 'Plain', secret }] });
    expect(await statusOf(secret)).toBe(200);
    const hidden = await call(`${request}&includeHidden=true`, { key: secret });
    expect(hidden.json[0]).not.toHaveProperty('phone');
    const update = await call('PATCH /api/public/cms/chefs/chef_1', { key: secret, body: { values: {} } });
    expect(update.status).toBe(403);
  });
});
