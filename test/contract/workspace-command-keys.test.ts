import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { Engines, runCommandLine } from '#test/support/command-line.ts';
import { everyKind, newWorkspaceId, siteSecret } from '#test/support/every-kind.ts';
import { freezeDate } from '#test/support/frozen-date.ts';
import { storeWorkspace } from '#test/support/world.ts';

const workspaceId = newWorkspaceId();
const defaults = 'cms:entry:read,menu:product:read,menu:category:read,forms:form:read,forms:response:create';
let service: Engines;

beforeAll(async () => {
  const document = everyKind(workspaceId);
  document.apiKeys.push({ id: 'key_later', name: 'Later', permissions: [], revokedAt: '2999-01-02T00:00:00.000Z' });
  await storeWorkspace(document);
  service = await Engines.open();
});

afterAll(() => service.stop());

const run = (...args: string[]) => runCommandLine(['key', ...args, '--workspace', workspaceId, '--url', service.url]);

async function statusOf(secret: string, address = '/api/public/cms/dishes/list'): Promise<number> {
  return (await call(`GET ${address}`, { key: secret })).status;
}

/** Runs a command that shows a secret. @returns the rest of its output, too */
async function issue(...args: string[]) {
  const { code, out, errors } = await run(...args);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  const [, id = '', secret = '', rest = ''] =
    /^Key (\w+) \(.+\)\. Its secret, shown this once:\n(wsk_[0-9A-Za-z]{49})\n([\s\S]*)$/.exec(out) ?? [];
  return { id, secret, rest };
}

const lineOf = async (id: string) => (await run('list')).out.split('\n').find((line) => line.startsWith(`${id}  `));

describe('key create', () => {
  it('prints the secret of a key that works immediately, with the default permissions', async () => {
    const { id, secret, rest } = await issue('create', '--name', '\u3000Web site ');
    expect([await statusOf(secret), rest]).toEqual([200, '']);
    expect(await lineOf(id)).toBe(`${id}  Web site  ${defaults}`);
    expect((await run('list')).out).not.toContain('wsk_');
  });

  it('gives the key the given permissions, member and expiry', async () => {
    const options = ['--permission', 'menu:product:read', '--permission', 'menu:category:read', '--member', 'mem_lina'];
    const { id, secret } = await issue('create', '--name', 'Menu', ...options, '--expires', '2999-01-31');
    expect([await statusOf(secret), await statusOf(secret, '/api/public/menu/products')]).toEqual([403, 401]);
    expect(await statusOf(secret, `/api/public/menu/products?apiKey=${secret}`)).toBe(200);
    const shown = 'menu:product:read,menu:category:read  expires 2999-01-31T00:00:00.000Z  member mem_lina';
    expect(await lineOf(id)).toBe(`${id}  Menu  ${shown}`);
  });

  it('gives an inactive member a key that is refused', async () => {
    const { secret } = await issue('create', '--name', 'Former', '--member', 'mem_omar');
    expect(await statusOf(secret)).toBe(401);
  });

  it('requires an existing member and an existing workspace', async () => {
    const before = (await run('list')).out;
    const noMember = await run('create', '--name', 'x', '--member', 'mem_gone');
    expect(noMember).toEqual({ code: 1, out: '', errors: 'The workspace has no member mem_gone.\n' });
    const elsewhere = ['key', 'create', '--name', 'x', '--workspace', 'ws_gone', '--url', service.url];
    expect(await runCommandLine(elsewhere)).toEqual({ code: 1, out: '', errors: 'There is no workspace ws_gone.\n' });
    expect((await run('list')).out).toBe(before);
  });
});

describe('key list', () => {
  it('shows the permissions and the expiry of each key', async () => {
    const { code, out, errors } = await run('list');
    expect([code, errors]).toEqual([0, '']);
    expect(out.split('\n')).toEqual(
      expect.arrayContaining([
        `key_site  Site  ${defaults}`,
        'key_lina  Desk  cms:entry:read,menu:product:read,messaging:conversation:engage  member mem_lina',
        `key_old  Old  ${defaults}  revoked 2026-01-02T09:00:00.000Z  expired 2026-01-01T09:00:00.000Z`,
        'key_later  Later  no permissions  to be revoked 2999-01-02T00:00:00.000Z',
      ]),
    );
  });
});

describe('key revoke', () => {
  it('takes effect on the next request, and a repetition changes nothing', async () => {
    const { id, secret } = await issue('create', '--name', 'Leaked');
    expect(await statusOf(secret)).toBe(200);
    const first = await run('revoke', id);
    expect(await statusOf(secret)).toBe(401);
    expect(first).toMatchObject({ code: 0, errors: '' });
    expect(first.out).toMatch(new RegExp(`^Key ${id} is revoked since 20\\d\\d-.+Z\\.\n$`));
    expect(await run('revoke', id)).toEqual(first);
    expect(await lineOf(id)).toContain('  revoked 20');
  });

  it('requires an existing key', async () => {
    const { code, out, errors } = await run('revoke', 'key_gone');
    expect([code, out, errors]).toEqual([1, '', 'The workspace has no key key_gone.\n']);
  });

  it('invalidates a former secret, too', async () => {
    const created = await issue('create', '--name', 'Retired');
    const { secret } = await issue('rotate', created.id, '--grace', '1h');
    await run('revoke', created.id);
    expect(await Promise.all([created.secret, secret].map((secret) => statusOf(secret)))).toEqual([401, 401]);
  });
});

describe('key rotate', () => {
  const { start, itIs } = freezeDate();
  it('invalidates the old secret immediately without a grace period', async () => {
    const { id, secret, rest } = await issue('rotate', 'key_site');
    expect([id, rest]).toEqual(['key_site', '']);
    expect([await statusOf(siteSecret(workspaceId)), await statusOf(secret)]).toEqual([401, 200]);
  });

  it('accepts the old secret until the grace period ends', async () => {
    const created = await issue('create', '--name', 'Graceful');
    const { secret, rest } = await issue('rotate', created.id, '--grace', '2s');
    const [, until = ''] = /^The old secret stays valid until (.+)\.\n$/.exec(rest) ?? [];
    expect([await statusOf(created.secret), await statusOf(secret)]).toEqual([200, 200]);
    expect(Date.parse(until)).toBe(start + 2_000);
    itIs(1_999);
    expect([await statusOf(created.secret), await statusOf(secret)]).toEqual([200, 200]);
    itIs(2_000);
    expect([await statusOf(created.secret), await statusOf(secret)]).toEqual([401, 200]);
    expect(await lineOf(created.id)).not.toContain('old secret');
  });

  it('ends the grace period of the former secret', async () => {
    const created = await issue('create', '--name', 'Twice');
    const second = await issue('rotate', created.id, '--grace', '1h');
    const third = await issue('rotate', created.id, '--grace', '1h');
    const secrets = [created, second, third].map(({ secret }) => secret);
    expect(await Promise.all(secrets.map((secret) => statusOf(secret)))).toEqual([401, 200, 200]);
    const [, until = ''] = /^The old secret stays valid until (.+)\.\n$/.exec(third.rest) ?? [];
    expect(await lineOf(created.id)).toBe(`${created.id}  Twice  ${defaults}  old secret until ${until}`);
  });

  it('leaves an expired or revoked key unchanged', async () => {
    const { code, out, errors } = await run('rotate', 'key_old');
    expect([code, out]).toEqual([1, '']);
    expect(errors).toBe('The key key_old is revoked: a new secret would not work. Make a new key.\n');
    expect(await run('rotate', 'key_gone')).toEqual({
      code: 1,
      out: '',
      errors: 'The workspace has no key key_gone.\n',
    });
  });
});
