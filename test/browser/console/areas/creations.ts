import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import type { Screen, Story } from '../room.ts';
import { undo } from '../undo-button.ts';

export const screens: readonly Screen[] = [];

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const name = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true });

export const stories: readonly Story[] = [
  {
    name: 'creations: a new customer, member with an invitation, key and webhook are gone again',
    run: async (room) => {
      const { access, manage } = room.client;
      const page = await room.visit('/settings/customers/new');
      await name(page).fill('Gone Customer');
      await button(page, 'Create').click();
      await page.waitForURL(/customers\/cus_/);
      await undo(page);
      await page.waitForURL(/#\/settings\/customers$/);
      assert.deepEqual((await manage.customers.list({ q: 'Gone Customer' })).data, []);

      await room.go(page, '/access/members/new');
      await name(page).fill('Gone Member');
      await page.getByRole('textbox', { name: 'E-mail address' }).fill('gone@console.example');
      await button(page, 'Create').click();
      await page.getByText('The invitation was sent to gone@console.example.').waitFor();
      await undo(page);
      await page.waitForURL(/#\/access\/members$/);
      assert.deepEqual((await access.listMembers({ q: 'Gone Member' })).data, []);

      // Beside its secret, and after it was closed.
      for (const isOpen of [true, false]) {
        const called = `Gone Key ${isOpen}`;
        await room.go(page, '/access/keys/new');
        await name(page).fill(called);
        await button(page, 'Create').click();
        const secret = page.getByRole('alertdialog', { name: 'Copy the secret now' });
        await secret.waitFor();
        if (!isOpen) await secret.getByRole('button').last().click();
        await undo(page);
        await page.waitForURL(/#\/access\/keys$/);
        assert.equal(await secret.count(), 0);
        const [key] = (await access.listKeys({ q: called })).data;
        assert.ok(key?.revokedAt);
      }

      await access.createKey({ name: 'Key of a gone webhook', permissions: ['menu:product:read'] });
      await room.go(page, '/settings/webhooks/new');
      await page.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9/gone-hook');
      await page.getByLabel('API key').selectOption({ label: 'Key of a gone webhook' });
      await page.getByRole('checkbox', { name: 'Everything' }).first().check();
      await button(page, 'Create').click();
      await button(page, 'I have stored it').click();
      await page.waitForURL(/webhooks\/wh_/);
      await undo(page);
      await page.waitForURL(/#\/settings\/webhooks$/);
      assert.deepEqual((await manage.webhooks.list({ q: 'gone-hook' })).data, []);
      await page.context().close();
    },
  },
  {
    name: 'creations: a copied form, a published new entry, and an entry made for a relation are gone again',
    run: async (room) => {
      const { forms, cmsEntries } = room.client.manage;
      const { record: form } = await forms.create({ slug: 'to-copy', title: { en: 'To copy' }, fields: [] });
      const page = await room.visit('/forms?q=To copy');
      await button(page, 'Duplicate: To copy').click();
      await page.waitForURL(/#\/forms\/edit\/(?!new)/);
      await undo(page);
      await page.waitForURL(/#\/forms$/);
      assert.deepEqual(
        (await forms.list({ q: 'to-copy' })).data.map(({ id }) => id),
        [form.id],
      );

      const topics = async () => (await cmsEntries.list({ modelId: 'topics', limit: 100 })).data.length;
      const before = await topics();
      await room.go(page, '/content/entries/topics/new');
      await page.getByRole('textbox', { name: 'Name *, English' }).fill('Short-lived');
      await button(page, 'Save and publish').click();
      await page.waitForURL(/topics\/edit\/(?!new)/);
      await undo(page);
      await page.waitForURL(/#\/content\/entries\/topics$/);
      assert.equal(await topics(), before);

      await room.go(page, '/content/entries/articles/new');
      await button(page, 'Choose: Topics').click();
      await button(page, 'Create a new one').click();
      await page.getByRole('textbox', { name: 'Name *, English' }).fill('In passing');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Create', exact: true }).click();
      const chosen = page.locator('.target-name', { hasText: 'In passing' });
      await chosen.waitFor();
      await undo(page);
      await chosen.waitFor({ state: 'detached' });
      assert.equal(await topics(), before);
      await page.context().close();
    },
  },
];
