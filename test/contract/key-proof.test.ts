import { beforeEach, describe, expect, it } from '@jest/globals';
import { findPrincipal, hashOfSecret } from '#lib/table/access/api-keys.ts';
import { removeAll } from '#lib/table/dynamodb/write-all.ts';
import { keys } from '#lib/table/keys.ts';
import { accessChange, idAt, newChangeId } from '#lib/table/log/change-log.ts';
import { readLog } from '#lib/table/log/read-log.ts';
import { call } from '#test/support/call.ts';
import { changeKey, revokeKey } from '#test/support/change-key.ts';
import { freezeDate } from '#test/support/frozen-date.ts';
import { loggedChanges } from '#test/support/old-log.ts';
import { startTableProxy } from '#test/support/proxied-table.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { load, testTable } from '#test/support/world.ts';

const minutes = 60_000;
const proxy = await startTableProxy();
const { start, itIs } = freezeDate();
let kitchen: Workspace<'access'>;

beforeEach(async () => {
  kitchen = await openWorkspace('access');
  itIs(2 * minutes);
});

const products = 'GET /api/public/menu/products';
const lists = [products, 'GET /api/public/menu/categories', 'GET /api/public/cms/chefs/list?maxDepth=1'];

/** Menu routes take the key in the query. */
async function statusOf(list = products, key = kitchen.keys.reader): Promise<number> {
  const answer = list.includes('/menu/') ? call(`${list}?apiKey=${key}`) : call(list, { key });
  return (await answer).status;
}

/** A successful request of the administrator. */
async function manage(request: string, body?: object): Promise<void> {
  const { status, text } = await call(request, { key: kitchen.keys.admin, ...(body && { body }) });
  if (status >= 300) throw new Error(`${request} was answered ${status}: ${text}`);
}

/** @returns how often the list reads a key */
async function keyReads(list = products, key?: string): Promise<number> {
  await proxy.forget();
  expect(await statusOf(list, key)).toBe(200);
  return proxy.calls.filter(({ input }) => JSON.stringify(input).includes('"KEY#')).length;
}

/** The first list finds the caller, the second one proves its key, and the third one needs the log alone. */
async function prove(list = products, key?: string): Promise<void> {
  expect([await keyReads(list, key), await keyReads(list, key), await keyReads(list, key)]).toEqual([1, 1, 0]);
}

const reader = '/api/v1/manage/api-keys/key_reader';
const patchKey = (change: object) => manage(`PATCH ${reader}`, change);

/** An import changes the reader's key, or removes it. */
async function importKey(change: object | undefined): Promise<void> {
  const apiKeys = kitchen.document.apiKeys.flatMap((key: { readonly id: string }) =>
    key.id === 'key_reader' ? (change ? [{ ...key, ...change }] : []) : [key],
  );
  await load({ ...kitchen.document, apiKeys }, { prune: true });
}

const keyItem = () => keys.apiKey(hashOfSecret(kitchen.keys.reader));

/** Changes the item of the reader's secret, without a log item. */
const takeAway = async () =>
  testTable().update(keyItem(), {
    UpdateExpression: 'SET #permissions = :none',
    ExpressionAttributeNames: { '#permissions': 'permissions' },
    ExpressionAttributeValues: { ':none': [] },
  });

const logAccess = () =>
  testTable().put({ ...keys.loggedChange(kitchen.workspaceId, newChangeId()), ...accessChange('key_reader') });

describe('a key that the log proves', () => {
  it.each(lists)('is not read: %s', (list) => prove(list));

  it('makes a warm list one call of one read unit', async () => {
    await prove();
    expect(proxy.calls.map(({ operation }) => operation)).toEqual(['Query']);
  });

  it.each<[string, () => Promise<void>, number]>([
    ['it is revoked', () => revokeKey(kitchen.workspaceId, 'key_reader'), 401],
    ['it loses its permissions', () => changeKey(kitchen.workspaceId, 'key_reader', { permissions: [] }), 403],
    ['management revokes it', () => patchKey({ revokedAt: new Date().toISOString() }), 401],
    ['management takes its permissions away', () => patchKey({ permissions: [] }), 403],
    ['it gets another secret', () => manage(`POST ${reader}/rotate`, { graceSeconds: 0 }), 401],
    ['an import revokes it', () => importKey({ revokedAt: new Date().toISOString() }), 401],
    ['an import removes it', () => importKey(undefined), 401],
  ])('is refused from the next request on when %s', async (_, change, status) => {
    await prove();
    await change();
    expect([await statusOf(), await statusOf()]).toEqual([status, status]);
  });

  it.each<[string, () => Promise<void>]>([
    ['is deactivated', () => manage('PATCH /api/v1/manage/members/mem_1', { active: false })],
    ['is removed', () => manage('DELETE /api/v1/manage/members/mem_1')],
  ])('is refused from the next request on when its member %s', async (_, change) => {
    await prove(products, kitchen.keys.member);
    await change();
    expect([await statusOf(products, kitchen.keys.member), await statusOf(products)]).toEqual([401, 200]);
  });

  it('is refused after a compaction whose clock is ahead has removed the change of the key', async () => {
    await prove();
    await revokeKey(kitchen.workspaceId, 'key_reader');
    itIs(11.5 * minutes);
    await readLog(testTable(), kitchen);
    await testTable().update(keys.logState(kitchen.workspaceId), {
      UpdateExpression: 'SET checkpoint = :checkpoint',
      ExpressionAttributeValues: { ':checkpoint': idAt(start + 3 * minutes) },
    });
    const logged = await testTable().all({ pk: keys.log(kitchen.workspaceId) });
    await removeAll(
      testTable(),
      logged.filter(({ kind }) => kind === 'access'),
    );
    expect(await statusOf()).toBe(401);
  });

  it('is refused when it expires', async () => {
    await changeKey(kitchen.workspaceId, 'key_reader', { expiresAt: new Date(start + 6 * minutes).toISOString() });
    itIs(4 * minutes);
    await prove();
    itIs(6 * minutes);
    const table = testTable();
    await readLog(table, kitchen);
    expect(await findPrincipal(table, hashOfSecret(kitchen.keys.reader))).toBeUndefined();
    expect(await statusOf()).toBe(401);
  });

  it('has its former caller again when its permissions come back', async () => {
    const stored = { permissions: ['menu:product:read' as const] };
    await prove();
    await changeKey(kitchen.workspaceId, 'key_reader', { permissions: [] });
    expect(await statusOf()).toBe(403);
    await changeKey(kitchen.workspaceId, 'key_reader', stored);
    expect(await statusOf()).toBe(200);
  });
});

describe('a key is read on every request', () => {
  it('for a minute after a change of any key of the workspace, because a transaction may be half visible', async () => {
    await prove();
    await logAccess();
    expect(await keyReads()).toBe(1);
    // The log item was visible before the item of the secret.
    await takeAway();
    expect(await statusOf()).toBe(403);
  });

  it('until the minute after a change is over', async () => {
    await prove();
    await logAccess();
    expect([await keyReads(), await keyReads()]).toEqual([1, 1]);
    itIs(4 * minutes);
    expect([await keyReads(), await keyReads()]).toEqual([1, 0]);
  });

  it('for a minute after an import has changed a key', async () => {
    await prove();
    await importKey({ name: 'Renamed' });
    expect([await keyReads(), await keyReads()]).toEqual([1, 1]);
    itIs(4 * minutes);
    expect([await keyReads(), await keyReads()]).toEqual([1, 0]);
  });

  it('every ten minutes, so that no fault of a clock lasts', async () => {
    await prove();
    await takeAway();
    itIs(11 * minutes);
    expect(await statusOf()).toBe(200);
    itIs(13 * minutes);
    expect(await statusOf()).toBe(403);
  });

  it('when the log lacks items that were read, because a backup was restored', async () => {
    await manage('PATCH /api/v1/manage/menu-categories/cat_1', { position: 7 });
    await prove();
    await removeAll(testTable(), await loggedChanges(kitchen.workspaceId));
    await takeAway();
    expect(await statusOf()).toBe(403);
  });

  it('if it will be revoked at a time', async () => {
    await changeKey(kitchen.workspaceId, 'key_reader', { revokedAt: new Date(start + 6 * minutes).toISOString() });
    itIs(4 * minutes);
    expect([await keyReads(), await keyReads(), await keyReads()]).toEqual([1, 1, 1]);
    itIs(6 * minutes);
    expect(await statusOf()).toBe(401);
  });
});

/** The writes of each transaction that the service has made. */
const transactions = (): readonly Written[][] =>
  proxy.calls.filter(({ operation }) => operation === 'TransactWriteItems').map(({ input }) => input.TransactItems);

interface Written {
  readonly [kind: string]: { readonly Key?: StoredKey; readonly Item?: StoredKey & { readonly kind?: { S: string } } };
}
interface StoredKey {
  readonly pk: { readonly S: string };
}

const itemOf = (written: Written) => Object.values(written).map(({ Key, Item }) => Key ?? Item)[0];
const isOfSecret = (written: Written) => itemOf(written)?.pk.S.startsWith('KEY#') ?? false;
const isLogged = (written: Written) => written['Put']?.Item?.kind?.S === 'access';

it('each change of a secret is logged in its transaction', async () => {
  await proxy.forget();
  const key = { name: 'New', memberId: 'mem_1', permissions: ['cms:entry:read'] };
  await manage('POST /api/v1/manage/api-keys', { id: 'key_new', ...key });
  await manage('PATCH /api/v1/manage/api-keys/key_new', { name: 'Newer' });
  await manage('POST /api/v1/manage/api-keys/key_new/rotate', { graceSeconds: 60 });
  await manage('POST /api/v1/manage/api-keys/key_new/rotate', { graceSeconds: 0 });
  await manage('PATCH /api/v1/manage/members/mem_1', { active: false });
  await manage('DELETE /api/v1/manage/members/mem_1');
  await manage('POST /api/v1/manage/members', { id: 'mem_1', name: 'Lina', permissions: [] });
  const changes = transactions().filter((written) => written.some(isOfSecret));
  expect(changes).toHaveLength(7);
  for (const written of changes) expect(written.filter(isLogged)).toHaveLength(1);
});
