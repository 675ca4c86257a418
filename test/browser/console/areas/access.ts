import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { assertFaultless } from '../look.ts';
import { draftsOf, type Room, type Screen, type Story, save, settled } from '../room.ts';
import { people } from '../workspace.ts';

export const screens: readonly Screen[] = [
  { name: 'keys', address: '/access/keys' },
  { name: 'key', address: '/access/keys/key_manager' },
  { name: 'new key', address: '/access/keys/new' },
  { name: 'members', address: '/access/members' },
  { name: 'member', address: '/access/members/mem_manager' },
  { name: 'new member', address: '/access/members/new' },
];

/** Reads with a key. @returns the status */
const statusWith = (room: Room, secret: string): Promise<number> =>
  fetch(`${room.url}/api/public/menu/products?apiKey=${encodeURIComponent(secret)}&limit=1`).then(
    ({ status }) => status,
  );

const secretOf = (page: Page): Promise<string> => page.getByRole('alertdialog').locator('code').innerText();

export const stories: readonly Story[] = [
  {
    name: 'access: a manager makes a key, sees its secret one time, rotates, revokes and restores it',
    run: async (room) => {
      const page = await room.visit('/access/keys');
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('link', { name: 'New key' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Story key');
      await page.getByLabel('Preset').selectOption({ label: 'Website with chat' });
      assert.ok(await page.getByRole('checkbox', { name: /Reply and change conversations/ }).isChecked());
      await page.getByRole('button', { name: 'In 90 days' }).click();
      await page.getByRole('button', { name: 'Create' }).click();
      const dialog = page.getByRole('alertdialog', { name: 'Copy the secret now' });
      await dialog.waitFor();
      const secret = await secretOf(page);
      assert.equal(await statusWith(room, secret), 200);
      await dialog.getByRole('button', { name: 'Copy' }).click();
      await dialog.getByText('Copied.').waitFor();
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret);
      await page.keyboard.press('Escape');
      await assertFaultless(page);
      await dialog.getByRole('button', { name: 'I have stored it' }).click();
      await page.waitForURL(/#\/access\/keys\/(?!new).+/);
      await dialog.waitFor({ state: 'detached' });
      await settled(page);
      assert.equal(await pageContains(page, secret), false);

      await page.getByRole('button', { name: 'Rotate' }).click();
      const asked = page.getByRole('dialog', { name: 'Give “Story key” a new secret?' });
      await asked.getByLabel('The old secret works').selectOption({ label: 'For an hour' });
      await assertFaultless(page);
      await asked.getByRole('button', { name: 'Rotate' }).click();
      await dialog.waitFor();
      const second = await secretOf(page);
      assert.notEqual(second, secret);
      assert.deepEqual([await statusWith(room, secret), await statusWith(room, second)], [200, 200]);
      await dialog.getByRole('button', { name: 'I have stored it' }).click();

      await page.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('The key no longer works.').waitFor();
      assert.deepEqual([await statusWith(room, secret), await statusWith(room, second)], [401, 401]);
      await page.getByRole('button', { name: 'Make it work again' }).click();
      await page.getByText('The key works again.').waitFor();
      assert.equal(await statusWith(room, second), 200);
      await page.context().close();
    },
  },
  {
    name: 'access: a manager saves an unsaved change of a key, and sees its name in the list',
    run: async (room) => {
      const key = await room.client.access.createKey({ name: 'Old name', permissions: ['menu:product:read'] });
      const page = await room.visit(`/access/keys/${key.id}`);
      await page.getByRole('textbox', { name: 'Name' }).fill('New name');
      assert.ok(await page.getByRole('button', { name: 'Revoke' }).isDisabled());
      await save(page);
      await room.go(page, '/access/keys');
      await page.getByRole('row', { name: /New name.*Active/ }).waitFor();
      await page.context().close();
    },
  },
  {
    name: 'access: a manager invites a member with a preset, deactivates and activates the member',
    run: async (room) => {
      const page = await room.visit('/access/members/new');
      await page.getByRole('textbox', { name: 'Name' }).fill('Nora New');
      await page.getByRole('textbox', { name: 'E-mail address' }).fill('nora@console.example');
      await page.getByLabel('Preset').selectOption({ label: 'Front desk' });
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByText('The invitation was sent to nora@console.example.').waitFor();
      const mails = await fetch(`${room.url}/_local/mail`).then((response) => response.text());
      assert.match(mails, /nora@console\.example/);
      await page.getByRole('button', { name: 'Deactivate' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Deactivate' }).click();
      await page.getByText('Nora New can no longer sign in.').waitFor();
      await page.getByRole('button', { name: 'Activate', exact: true }).click();
      await page.getByText('Nora New can sign in again.').waitFor();
      await room.go(page, '/access/members');
      await page.getByRole('row', { name: /Nora New.*Active.*Front desk/ }).waitFor();
      await page.context().close();
    },
  },
  {
    name: 'access: a person sees who invites, accepts, opens the workspace, and another one declines',
    run: async (room) => {
      for (const name of ['guest', 'stranger'])
        await room.client.access.createMember({
          name,
          email: `${name}@console.example`,
          permissions: ['menu:product:read'],
        });
      const manager = await room.visit('/access/members');
      await manager.getByRole('row', { name: /guest.*Active.*Pending/ }).waitFor();
      for (const [name, locale] of [
        ['guest', 'en-US'],
        ['stranger', 'ar-SA'],
      ] as const) {
        const context = await room.window({ locale });
        const page = await context.newPage();
        await page.goto(`${room.url}/console`);
        await page.getByRole('link', { name: /^(Sign in|تسجيل الدخول)$/ }).click();
        await page.getByRole('button', { name: `${name}@console.example` }).click();
        await page.waitForURL((address) => address.href.startsWith(`${room.url}/console`));
        await page.getByText(people.manager).waitFor();
        await assertFaultless(page);
        if (name === 'guest') {
          await page.getByRole('button', { name: /^Accept / }).click();
          await page.getByRole('button', { name: /^Open / }).click();
          await page.getByRole('navigation', { name: 'Main' }).waitFor();
        } else {
          await page.getByRole('button', { name: /^رفض / }).click();
          const question = page.getByRole('alertdialog');
          await question.getByText(/^هذا القرار نهائي/).waitFor();
          await question.getByRole('button', { name: 'رفض', exact: true }).click();
          await page.getByText('لست عضوًا في أي مساحة عمل.').waitFor();
        }
        await context.close();
      }
      await manager.reload();
      await settled(manager);
      await manager.getByRole('row', { name: /guest.*Active/ }).waitFor();
      await manager
        .getByRole('row', { name: /guest.*Pending|stranger/ })
        .first()
        .waitFor({ state: 'detached' });
      await manager.context().close();
    },
  },
  {
    name: 'access: a manager sees that an address is taken, and cannot grant a missing permission',
    run: async (room) => {
      const page = await room.visit('/access/members/new');
      await page.getByRole('textbox', { name: 'Name' }).fill('Second Mona');
      await page.getByRole('textbox', { name: 'E-mail address' }).fill('manager@console.example');
      await page.getByRole('button', { name: 'Create' }).click();
      await page
        .getByRole('alert')
        .getByText(/Must be unique/)
        .waitFor();
      const permissions = ['access:key:read', 'access:key:manage', 'menu:product:read'] as const;
      await room.client.access.updateMember('mem_kitchen', { permissions: [...permissions] });
      const few = await room.visit('/access/keys/new', 'kitchen');
      assert.ok(await few.getByRole('checkbox', { name: /Delete entries/ }).isDisabled());
      assert.ok(await few.getByRole('checkbox', { name: /Read published products/ }).isEnabled());
      const answer = await few.evaluate(`fetch('/api/v1/manage/api-keys', {
        method: 'POST', headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Too much', permissions: ['cms:entry:delete'] }),
      }).then((response) => response.status)`);
      assert.equal(answer, 403);
      await room.client.access.updateMember('mem_kitchen', { permissions: ['menu:product:availability'] });
      await page.context().close();
      await few.context().close();
    },
  },
  {
    name: 'access: the last manager cannot leave, and the screen shows the reason',
    run: async (room) => {
      const { data } = await room.client.access.listMembers({ limit: 100 });
      const others = data.filter(
        ({ id, permissions }) => id !== 'mem_manager' && permissions.includes('access:member:manage'),
      );
      for (const { id, permissions } of others)
        await room.client.access.updateMember(id, {
          permissions: permissions.filter((one) => one !== 'access:member:manage'),
        });
      const page = await room.visit('/access/members/mem_manager', 'manager', { locale: 'ar-SA' });
      await page.getByRole('button', { name: 'إيقاف العضو' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'إيقاف العضو' }).click();
      await page.getByText(/لن يبقى من يدير الأعضاء/).waitFor();
      await page.context().close();
      for (const { id, permissions } of others) await room.client.access.updateMember(id, { permissions });
      assert.equal(await statusWith(room, 'console-manager-key-000000000'), 200);
    },
  },
];

/** Whether a text is anywhere in the page: its storage, drafts, address or markup. */
async function pageContains(page: Page, text: string): Promise<boolean> {
  const kept: string = await page.evaluate(
    'JSON.stringify({ ...localStorage, ...sessionStorage }) + location.href + document.documentElement.outerHTML',
  );
  return (kept + (await draftsOf(page))).includes(text);
}
