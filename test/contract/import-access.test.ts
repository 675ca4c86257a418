import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ApiKeyRecords } from '#lib/table/access/api-key-records.ts';
import { keys } from '#lib/table/keys.ts';
import { changeSteps } from '#lib/table/writer/apply-change.ts';
import { keyRules } from '#lib/table/writer/key-rules.ts';
import { ApiKeys } from '#lib/workspace/command/api-keys.ts';
import { call } from '#test/support/call.ts';
import { exported } from '#test/support/document-text.ts';
import { everyKind, linaSecret, siteSecret } from '#test/support/every-kind.ts';
import { allItems, openOwnTable } from '#test/support/own-table.ts';
import { type Document, load, storeWorkspace, testTable } from '#test/support/world.ts';

beforeAll(openOwnTable);

const day = 86_400_000;
const statusOf = async (secret: string) =>
  (await call('GET /api/public/cms/dishes/list?limit=1', { key: secret })).status;
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');

async function stored() {
  const document = everyKind();
  await storeWorkspace(document);
  const { version, workspace, apiKeys, members } = document;
  const importKeys = (keys: Document[], others: Document = {}, options = {}) =>
    load({ version, workspace, apiKeys: keys, ...others }, options);
  return { workspaceId: workspace.id as string, apiKeys, members, importKeys };
}

/** The number of current and former secrets of a workspace. */
const secretsOf = async (workspaceId: string) =>
  (await allItems()).filter((item) => item.pk.startsWith('KEY#') && item['workspaceId'] === workspaceId).length;

describe('a key without a secret', () => {
  it('gets a generated one that is shown one time, and keeps it through later imports', async () => {
    const { importKeys, workspaceId } = await stored();
    const key = { id: 'key_made', name: 'Made' };
    const { newSecrets, changed } = await importKeys([key]);
    expect(changed).toBe(1);
    expect(newSecrets).toEqual([{ keyId: 'key_made', name: 'Made', secret: expect.stringMatching(/^wsk_\w{49}$/) }]);
    const [secret = ''] = newSecrets.map((made) => made.secret);
    expect(await statusOf(secret)).toBe(200);
    expect(await importKeys([key])).toMatchObject({ changed: 0, newSecrets: [] });
    expect(await importKeys([{ ...key, name: 'Renamed' }])).toMatchObject({ changed: 1, newSecrets: [] });
    expect(await statusOf(secret)).toBe(200);
    expect((await exported(workspaceId)).apiKeys.find(({ id }: Document) => id === 'key_made')).toMatchObject({
      name: 'Renamed',
      secretHash: hashOf(secret),
    });
    expect(JSON.stringify(await allItems())).not.toContain(secret);
  });
});

describe('the secret of a key', () => {
  it('may be given as its hash', async () => {
    const { importKeys } = await stored();
    const secret = 'known-to-its-holder-only';
    const key = { id: 'key_hashed', name: 'Hashed', secretHash: hashOf(secret) };
    expect(await importKeys([key])).toMatchObject({ changed: 1, newSecrets: [] });
    expect(await statusOf(secret)).toBe(200);
    expect((await importKeys([{ ...key, secret }])).changed).toBe(0);
  });

  it('invalidates the old secret when it changes', async () => {
    const { importKeys, apiKeys, workspaceId } = await stored();
    const before = await secretsOf(workspaceId);
    await importKeys([{ ...apiKeys[0], secret: 'the-next-secret-of-this-key' }]);
    expect(await statusOf(siteSecret(workspaceId))).toBe(401);
    expect(await statusOf('the-next-secret-of-this-key')).toBe(200);
    expect(await secretsOf(workspaceId)).toBe(before);
  });

  it('ends the grace period of the former secret when it changes, and only then', async () => {
    const { importKeys, apiKeys, workspaceId } = await stored();
    const keys = await ApiKeys.of(testTable(), workspaceId);
    const { secret } = await keys.rotate('key_site', new Date(), day);
    const { secret: _, ...site } = apiKeys[0];
    await importKeys([{ ...site, name: 'Renamed' }]);
    expect(await Promise.all([siteSecret(workspaceId), secret].map(statusOf))).toEqual([200, 200]);
    await importKeys([{ ...site, secret: 'the-third-secret-of-this-key' }]);
    expect(await Promise.all([siteSecret(workspaceId), secret].map(statusOf))).toEqual([401, 401]);
    expect(await statusOf('the-third-secret-of-this-key')).toBe(200);
  });

  it('may return to the former secret', async () => {
    const { importKeys, apiKeys, workspaceId } = await stored();
    const before = await secretsOf(workspaceId);
    const { secret } = await (await ApiKeys.of(testTable(), workspaceId)).rotate('key_site', new Date(), day);
    expect((await importKeys([apiKeys[0]])).changed).toBe(1);
    expect(await Promise.all([siteSecret(workspaceId), secret].map(statusOf))).toEqual([200, 401]);
    expect(await secretsOf(workspaceId)).toBe(before);
  });

  it('is removed when its key is pruned, with the former secret', async () => {
    const { importKeys, apiKeys, workspaceId } = await stored();
    const { secret } = await (await ApiKeys.of(testTable(), workspaceId)).rotate('key_site', new Date(), day);
    expect((await importKeys([apiKeys[1]], {}, { prune: true })).changed).toBe(2);
    expect(await Promise.all([siteSecret(workspaceId), secret].map(statusOf))).toEqual([401, 401]);
    expect(await secretsOf(workspaceId)).toBe(1);
  });
});

describe('a key that is to be revoked later', () => {
  it('can be revoked immediately', async () => {
    const { importKeys, apiKeys, workspaceId } = await stored();
    const keys = await ApiKeys.of(testTable(), workspaceId);
    const secret = siteSecret(workspaceId);
    await importKeys([{ ...apiKeys[0], revokedAt: '2999-01-01T00:00:00.000Z' }]);
    expect(await statusOf(secret)).toBe(200);
    const now = new Date();
    expect((await keys.revoke('key_site', now)).revokedAt).toBe(now.toISOString());
    expect(await statusOf(secret)).toBe(401);
  });
});

describe('a member', () => {
  it('changes its keys when it is deactivated, activated and removed', async () => {
    const { importKeys, members, workspaceId } = await stored();
    const [lina, omar] = members;
    const linas = linaSecret(workspaceId);
    expect(await statusOf(linas)).toBe(200);
    await importKeys([], { members: [{ ...lina, active: false }] });
    expect([await statusOf(linas), await statusOf(siteSecret(workspaceId))]).toEqual([401, 200]);
    await importKeys([], { members: [lina] });
    expect(await statusOf(linas)).toBe(200);
    expect((await importKeys([], { members: [omar] }, { prune: true })).changed).toBe(1);
    expect(await statusOf(linas)).toBe(401);
  });

  it('may exchange its address with another, or take that of a removed one', async () => {
    const { importKeys, members, workspaceId } = await stored();
    const [lina, omar] = members.map((member: Document, index: number) => ({
      ...member,
      email: `${index}@example.com`,
    }));
    const owners = async () => {
      const names = ['0@example.com', '1@example.com'];
      const own = await Promise.all(names.map((name) => testTable().get(keys.slug(workspaceId, 'member', name))));
      const found = await Promise.all(names.map((name) => testTable().get(keys.membership(name, workspaceId))));
      expect(found.map((item) => item?.['id'])).toEqual(own.map((item) => item?.['id']));
      return own.map((item) => item?.['id']);
    };
    await importKeys([], { members: [lina, omar] });
    expect(await owners()).toEqual(['mem_lina', 'mem_omar']);
    const exchanged = [
      { ...lina, email: omar.email },
      { ...omar, email: lina.email },
    ];
    expect((await importKeys([], { members: exchanged })).changed).toBe(2);
    expect(await owners()).toEqual(['mem_omar', 'mem_lina']);
    await importKeys([], { members: [lina] }, { prune: true });
    expect(await owners()).toEqual(['mem_lina', undefined]);
  });

  it('counts the keys that it gets, loses and gives to another', async () => {
    const { importKeys, members, workspaceId } = await stored();
    const key = { id: 'key_moved', name: 'Moved', secret: `moved-secret-of-${workspaceId}` };
    const counts = async () => {
      const found = members.map(({ id }: Document) => testTable().get(keys.memberKeysOf(workspaceId, id)));
      return (await Promise.all(found)).map((item) => item?.['count'] ?? 0);
    };
    const [before] = await counts();
    await importKeys([{ ...key, memberId: 'mem_lina' }]);
    expect(await counts()).toEqual([before + 1, 0]);
    await importKeys([{ ...key, memberId: 'mem_omar' }], { members: [members[0], { ...members[1], active: false }] });
    expect([await counts(), await statusOf(key.secret)]).toEqual([[before, 1], 401]);
    await importKeys([{ id: 'key_other', name: 'Other', memberId: 'mem_lina' }], {}, { prune: true });
    expect([await counts(), await statusOf(key.secret)]).toEqual([[1, 0], 401]);
  });

  it('changes any number of keys', async () => {
    const { importKeys, members } = await stored();
    const keys = Array.from({ length: 130 }, (_, number) => ({
      id: `key_${number}`,
      name: `${number}`,
      secret: `${members[0].id}-secret-number-${number}`,
      memberId: 'mem_omar',
    }));
    const omar = { ...members[1], active: true };
    expect((await importKeys(keys, { members: [omar] })).changed).toBe(131);
    expect(await statusOf(keys[129]?.secret ?? '')).toBe(200);
    await importKeys([], { members: [{ ...omar, active: false }] });
    expect(new Set(await Promise.all(keys.map(({ secret }) => statusOf(secret))))).toEqual(new Set([401]));
  });
});

describe('a change of a key that conflicts with another change', () => {
  it('is based on the other change, whichever comes first', async () => {
    const { importKeys, apiKeys, workspaceId } = await stored();
    const before = await secretsOf(workspaceId);
    const keys = await ApiKeys.of(testTable(), workspaceId);
    const { secret: _, ...site } = apiKeys[0];
    const rotations = await Promise.all([
      ...[1, 2, 3].map(() => keys.rotate('key_site', new Date(), 0)),
      importKeys([{ ...site, name: 'Renamed' }]),
    ]);
    const secrets = rotations.flatMap((rotation) => ('secret' in rotation ? [rotation.secret] : []));
    const statuses = await Promise.all([...secrets, siteSecret(workspaceId)].map(statusOf));
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401]);
    expect(await secretsOf(workspaceId)).toBe(before);
    expect((await keys.list()).find(({ id }) => id === 'key_site')?.name).toBe('Renamed');
  });

  it('is refused when the record has changed since it was read', async () => {
    const { workspaceId } = await stored();
    const records = new ApiKeyRecords(testTable(), { workspaceId });
    const [key] = await records.list();
    if (!key) throw new Error('There is a key.');
    const change = (name: string) => {
      const renamed = { kind: 'apiKey', id: key.id, decide: async () => ({ ...key, name }) } as const;
      return changeSteps(keyRules, testTable(), { workspaceId }, renamed, { now: new Date().toISOString() });
    };
    const [first, second] = [change('First'), change('Second')];
    const [one, two] = [await first.prepare(1), await second.prepare(1)];
    expect(await first.write(one)).toMatchObject({ status: 'replaced' });
    expect(await second.write(two)).toBe('changed');
  });

  it('adds no key to a member that is deactivated in parallel', async () => {
    const { importKeys, members, workspaceId } = await stored();
    const keys = await ApiKeys.of(testTable(), workspaceId);
    const [, ...made] = await Promise.all([
      importKeys([], { members: [{ ...members[0], active: false }] }),
      ...[1, 2, 3, 4].map(() =>
        keys.create({ name: 'New', memberId: 'mem_lina', permissions: ['cms:entry:read'], expiresAt: null }),
      ),
    ]);
    expect(await Promise.all(made.map(({ secret }) => statusOf(secret)))).toEqual([401, 401, 401, 401]);
  });
});
