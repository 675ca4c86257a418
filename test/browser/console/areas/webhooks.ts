import { strict as assert } from 'node:assert';
import { eventually } from '../../eventually.ts';
import { assertFaultless } from '../look.ts';
import { type Screen, type Story, save, settled } from '../room.ts';
import { endHeld } from '../undo-button.ts';

export const screens: readonly Screen[] = [
  { name: 'webhooks', address: '/settings/webhooks' },
  { name: 'new webhook', address: '/settings/webhooks/new' },
];

export const stories: readonly Story[] = [
  {
    name: 'webhooks: a manager makes one, sees its secret one time, changes its events, switches it off and deletes it',
    run: async (room) => {
      const key = await room.client.access.createKey({ name: 'Hook key', permissions: ['menu:product:read'] });
      const page = await room.visit('/settings/webhooks');
      await page.getByRole('link', { name: 'New webhook' }).click();
      await page.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9/story-hook');
      await page.getByLabel('API key').selectOption({ label: 'Hook key' });
      const products = page.getByRole('group', { name: 'Product', exact: true });
      await products.getByRole('checkbox', { name: 'Published', exact: true }).check();
      await products.getByRole('checkbox', { name: 'Everything' }).check();
      assert.ok(await products.getByRole('checkbox', { name: 'Deleted' }).isDisabled());
      await page.getByRole('button', { name: 'Create' }).click();
      const dialog = page.getByRole('alertdialog', { name: 'Copy the secret now' });
      await dialog.waitFor();
      const secret = await dialog.locator('code').innerText();
      assert.match(secret, /^whsec_/);
      await assertFaultless(page);
      await dialog.getByRole('button', { name: 'I have stored it' }).click();
      await page.waitForURL(/#\/settings\/webhooks\/wh_/);
      await settled(page);
      const made = async () => (await room.client.manage.webhooks.list({ q: 'story-hook' })).data[0];
      assert.deepEqual([(await made())?.types, (await made())?.apiKeyId], [['menu_product.*'], key.id]);

      await page.getByRole('group', { name: 'Form', exact: true }).getByRole('checkbox', { name: 'Created' }).check();
      await save(page);
      assert.deepEqual((await made())?.types, ['menu_product.*', 'form.created']);

      await page.getByRole('button', { name: 'Rotate' }).click();
      const asked = page.getByRole('dialog', { name: /a new secret\?$/ });
      await asked.getByRole('button', { name: 'Rotate' }).click();
      await dialog.waitFor();
      assert.notEqual(await dialog.locator('code').innerText(), secret);
      await dialog.getByRole('button', { name: 'I have stored it' }).click();

      const deliveries = page.getByRole('region', { name: 'Last deliveries' });
      await page.getByText('Nothing was sent yet.').waitFor();
      await page.getByRole('button', { name: 'Send a test' }).click();
      const tested = deliveries.getByRole('row', { name: /webhook\.test.*Failed.*no connection/ });
      await tested.waitFor();
      await tested.getByRole('button', { name: 'Send again' }).click();
      await page.getByRole('button', { name: 'Send earlier events' }).click();
      const since = page.getByRole('dialog', { name: 'Send earlier events?' });
      await since.getByLabel('Events of').selectOption({ label: 'The last day' });
      await assertFaultless(page);
      await since.getByRole('button', { name: 'Send earlier events' }).click();
      await page.getByText('Events on their way:').waitFor();

      await page.getByRole('button', { name: 'Switch off' }).click();
      await page.getByText('The webhook is off.').waitFor();
      assert.equal((await made())?.enabled, false);
      await assertFaultless(page);
      await room.go(page, '/settings/webhooks');
      await page.getByRole('row', { name: /story-hook.*Off/ }).waitFor();
      await page.getByRole('link', { name: /story-hook/ }).click();
      await page.getByRole('button', { name: 'Switch on' }).click();
      await page.getByText('The webhook is on.').waitFor();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await page.waitForURL(/#\/settings\/webhooks$/);
      // It is deleted when the toast ends.
      await endHeld(page);
      await eventually(made, undefined);
      await page.context().close();
    },
  },
];
