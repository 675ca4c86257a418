import { afterAll } from '@jest/globals';
import { Permission } from '#lib/domain/access/permission.ts';
import { type LocalIssuer, startIssuer } from '#lib/local/issuer/issuer.ts';
import { type Answer, call } from './call.ts';
import { openOwnTable } from './own-table.ts';
import { storeWorkspace, testTable } from './world.ts';

/** With an `https:` address, as deployed, cookies have the prefix `__Host-`. */
export const serviceUrl = 'https://console.example';
export const adminKeys = { apple: 'admin-of-apple-0000000000', pear: 'admin-of-pear-00000000000' } as const;

const manager = { permissions: Permission.options };
const reader = { permissions: ['menu:product:read'] };

/**
 * Two workspaces with the same people, in a table that only this test file uses. Mona is a manager of `ws_apple` and a
 * reader in `ws_pear`. Ali is a member only of `ws_apple`, and Dana is inactive there. None of them is in `ws_plum`.
 */
export async function openSignIns(): Promise<void> {
  await openOwnTable();
  process.env['PUBLIC_URL'] = serviceUrl;
  const workspace = (id: string, name: string, members: object[], secret?: string) =>
    storeWorkspace({
      version: 1,
      workspace: { id, name, languages: ['en', 'ar'], defaultLanguage: 'en', currency: 'SAR' },
      members,
      apiKeys: secret ? [{ id: 'key_admin', name: 'Admin', secret, permissions: Permission.options }] : [],
    });
  await workspace(
    'ws_apple',
    'Apple',
    [
      { id: 'mem_mona', name: 'Mona', email: ' Mona@Example.com', ...manager },
      { id: 'mem_boss', name: 'Boss', email: 'boss@example.com', ...manager },
      { id: 'mem_ali', name: 'Ali', email: 'ali@example.com', language: 'ar', ...reader },
      { id: 'mem_dana', name: 'Dana', email: 'dana@example.com', active: false, ...manager },
      { id: 'mem_none', name: 'Without an address', ...manager },
    ],
    adminKeys.apple,
  );
  await workspace(
    'ws_pear',
    'Pear',
    [{ id: 'mem_mona.2:a', name: 'Mona M.', email: 'mona@example.com', ...reader }],
    adminKeys.pear,
  );
  await workspace('ws_plum', 'Plum', [{ id: 'mem_mona', name: 'Other Mona', email: 'other@example.com', ...reader }]);
}

/** Starts the issuer of the local run for the service of this test file. */
export async function openIssuer(): Promise<LocalIssuer> {
  const issuer = await startIssuer(testTable(), serviceUrl);
  Object.assign(process.env, issuer.environment);
  afterAll(() => issuer.stop());
  return issuer;
}

/** A change of a member by the key of an administrator. */
export const changeMember = (id: string, body: object, key: string = adminKeys.apple): Promise<Answer> =>
  call(`PATCH /api/v1/manage/members/${encodeURIComponent(id)}`, { key, body });
