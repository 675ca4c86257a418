import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { completeModel } from '../complete-records.ts';
import { assertFocused, assertFocusTrapped, press } from '../keyboard.ts';
import { assertFaultless } from '../look.ts';
import { type Room, type Screen, type Story, save, settled } from '../room.ts';
import { undo, undoButton } from '../undo-button.ts';
import { type CompleteRecord, wholes } from './records.ts';

const historyOf = (address: string): Screen => ({
  name: `history of ${address.split('/')[1]}`,
  address,
  prepare: async (page) => {
    await page.getByRole('button', { name: historyName }).click();
    await page.getByRole('dialog').waitFor();
  },
});

/** In English and Arabic. */
const historyName = /^(?:History|السجل الزمني)$/;

export const screens: readonly Screen[] = [
  { name: 'deleted menu', address: '/menu/deleted' },
  { name: 'deleted content', address: '/content/deleted' },
  { name: 'deleted forms', address: '/forms/deleted' },
  { name: 'deleted settings', address: '/settings/deleted' },
  historyOf('/menu/products/prod_lamb_kabsa'),
];

const withoutTime = ({ updatedAt: _, ...record }: Record<string, unknown>) => record;

/** Stores the record, and what it stands in. */
async function begin(room: Room, { name, calls, id, record }: CompleteRecord): Promise<Record<string, unknown>> {
  const { cmsEntries } = room.client.manage;
  if (name === 'entry') await room.client.manage.records('cms-models').replace('whole_things', { ...completeModel });
  if (name === 'database') await cmsEntries.delete('whole_things/one').catch(() => {});
  return (await calls(room).replace(id, { ...record })).record;
}

/** Chooses a version of the list by its place from the top, and restores it. */
async function restore(page: Page, place: number): Promise<void> {
  await page.getByRole('button', { name: 'History' }).click();
  const dialog = page.getByRole('dialog', { name: 'History' });
  await dialog
    .getByRole('row')
    .nth(place + 1)
    .getByRole('button')
    .click();
  const table = dialog.getByRole('region', { name: /^Version of / });
  await table.waitFor();
  assert.ok((await table.getByRole('row').count()) > 1);
  await assertFaultless(page);
  await dialog.getByRole('button', { name: 'Restore this version' }).click();
  await page.getByText('Restored.').first().waitFor();
  await settled(page);
}

const kindStories = wholes
  .filter(({ name }) => name !== 'customer')
  .map((whole): Story => {
    const { name, calls, id, address, change, changed } = whole;
    return {
      name: `history: ${name}: a save, a restore, a deletion and what brought it back are undone`,
      run: async (room) => {
        const first = await begin(room, whole);
        const stored = async () => withoutTime((await calls(room).get(id)).record);
        const page = await room.visit(address);
        await change(page);
        await save(page);
        assert.deepEqual(await stored(), withoutTime(changed(first)));
        await undo(page);
        assert.deepEqual(await stored(), withoutTime(first));
        // The form shows the version before, so another save changes nothing else.
        await change(page);
        await save(page);
        assert.deepEqual(await stored(), withoutTime(changed(first)));

        // The newest is the save; below it are the undo, and the save that it has undone.
        await restore(page, 1);
        assert.deepEqual(await stored(), withoutTime(first));
        await undo(page);
        assert.deepEqual(await stored(), withoutTime(changed(first)));

        await page.getByRole('button', { name: 'Delete' }).click();
        await page.getByRole('alertdialog').getByText('You can bring it back').waitFor();
        await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
        await page.getByText('Deleted.').waitFor();
        await assert.rejects(calls(room).get(id));
        await undo(page);
        assert.deepEqual(await stored(), withoutTime(changed(first)));

        await calls(room).delete(id);
        const area = address.split('/')[1];
        const kind = {
          product: 'menu-products',
          category: 'menu-categories',
          entry: 'cms-entries',
          database: 'cms-models',
          channel: 'channels',
        };
        await room.go(page, `/${area}/deleted?kind=${kind[name as 'product'] ?? ''}`);
        const row = page.getByRole('row').nth(1);
        await assertFaultless(page);
        await row.getByRole('button', { name: /^Restore / }).click();
        await page.getByText('Restored.').first().waitFor();
        assert.deepEqual(await stored(), withoutTime(changed(first)));
        await undo(page);
        await assert.rejects(calls(room).get(id));
        await page.context().close();
      },
    };
  });

export const stories: readonly Story[] = [
  ...kindStories,
  {
    name: 'history: workspace: a changed name is undone, also where the console shows it',
    run: async (room) => {
      const page = await room.visit('/settings');
      const form = page.locator('form', { has: page.getByRole('heading', { name: 'Workspace' }) });
      const name = form.getByRole('textbox', { name: 'Name' });
      const before = await name.inputValue();
      await name.fill('Another name');
      await form.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('navigation', { name: 'Main' }).getByText('Another name').waitFor();
      await undo(page);
      await page.getByRole('navigation', { name: 'Main' }).getByText(before).waitFor();
      assert.equal(await name.inputValue(), before);
      await page.context().close();
    },
  },
  {
    name: 'history: an undo after the change of somebody else changes nothing, and says so',
    run: async (room) => {
      const product = wholes.find(({ name }) => name === 'product');
      assert.ok(product);
      await begin(room, product);
      const page = await room.visit(product.address);
      await product.change(page);
      await save(page);
      await room.client.manage.menuProducts.update(product.id, { barcode: '4711' });
      await undoButton(page).click();
      await page.getByText(/^Somebody changed this in the meantime/).waitFor();
      const { record } = await room.client.manage.menuProducts.get(product.id);
      assert.deepEqual([record.name['en'], record.barcode], ['Changed', '4711']);

      // A save that changes nothing has nothing to undo.
      await room.go(page, '/menu');
      await room.go(page, product.address);
      await save(page);
      await undoButton(page).waitFor({ state: 'detached' });
      await page.context().close();
    },
  },
  {
    name: 'history: without a mouse: an earlier version is found, compared, restored, and the restore undone',
    run: async (room) => {
      const product = wholes.find(({ name }) => name === 'product');
      assert.ok(product);
      await begin(room, product);
      const nameNow = async () => (await room.client.manage.menuProducts.get(product.id)).record.name['en'];
      const before = await nameNow();
      await room.client.manage.menuProducts.update(product.id, { name: { en: 'Typed by hand' } });
      const page = await room.visit(product.address);
      await press(page, page.getByRole('button', { name: 'History' }));
      const dialog = page.getByRole('dialog', { name: 'History' });
      await assertFocusTrapped(page, dialog);
      await press(page, dialog.getByRole('button', { name: /^Compare / }));
      await dialog.getByRole('region', { name: /^Version of / }).waitFor();
      await assertFocusTrapped(page, dialog);
      await press(page, dialog.getByRole('button', { name: 'All versions' }));
      await press(page, dialog.getByRole('button', { name: /^Compare / }));
      await press(page, dialog.getByRole('button', { name: 'Restore this version' }));
      await page.getByText('Restored.').waitFor();
      assert.equal(await nameNow(), before);
      // The focus returns to what has opened the dialog.
      await assertFocused(page, page.getByRole('button', { name: 'History' }));
      await press(page, undoButton(page));
      await page.getByText('Undone.').waitFor();
      assert.equal(await nameNow(), 'Typed by hand');
      await page.context().close();
    },
  },
  {
    name: 'history: records without versions get their former values back: a customer, a member, a key, a webhook',
    run: async (room) => {
      const { access, manage } = room.client;
      const { record: customer } = await manage.customers.create({
        name: 'Former',
        email: null,
        phone: null,
        externalId: null,
      });
      const key = await access.createKey({ name: 'Former', permissions: ['menu:product:read'] });
      const member = await access.createMember({ name: 'Former', permissions: [] });
      const url = 'http://127.0.0.1:9/undo';
      const { record: hook } = await manage.webhooks.create({
        url,
        types: ['form.created'],
        apiKeyId: key.id,
        description: 'Former',
      });
      const screens = [
        [
          `/settings/customers/${customer.id}`,
          'Name',
          async () => (await manage.customers.get(customer.id)).record.name,
        ],
        [`/access/keys/${key.id}`, 'Name', async () => (await access.getKey(key.id)).name],
        [`/access/members/${member.id}`, 'Name', async () => (await access.getMember(member.id)).name],
        [
          `/settings/webhooks/${hook.id}`,
          'Description',
          async () => (await manage.webhooks.get(hook.id)).record.description,
        ],
      ] as const;
      const page = await room.visit('/overview');
      for (const [address, label, stored] of screens) {
        await room.go(page, address);
        const field = page.getByRole('textbox', { name: label, exact: true });
        await field.fill('Changed');
        await save(page);
        assert.equal(await stored(), 'Changed');
        await undo(page);
        assert.equal(await stored(), 'Former');
        assert.equal(await field.inputValue(), 'Former');
      }
      await manage.webhooks.delete(hook.id);
      await page.context().close();
    },
  },
  {
    name: 'history: a new category is undone, which leaves its screen',
    run: async (room) => {
      const page = await room.visit('/menu/categories/new');
      await page.getByRole('textbox', { name: 'Name, English' }).fill('Short-lived');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.waitForURL(/#\/menu\/categories\/cat_/);
      await undo(page);
      await page.waitForURL(/#\/menu\/categories$/);
      assert.equal((await room.client.manage.menuCategories.list({ q: 'Short-lived' })).data.length, 0);
      await page.context().close();
    },
  },
  {
    name: 'history: edits of many products and entries are undone at once, and leave what was already so',
    run: async (room) => {
      const { menuProducts, cmsEntries, cmsModels } = room.client.manage;
      const { data } = await menuProducts.list({ limit: 3 });
      const [shown] = data;
      assert.ok(shown);
      for (const [index, published] of [true, false, true].entries()) {
        const id = `prod_many_${index}`;
        await menuProducts.replace(id, {
          ...shown,
          id,
          slug: id,
          name: { en: `Many ${index}` },
          published,
          createdAt: undefined,
          updatedAt: undefined,
        });
      }
      const states = async () =>
        (await Promise.all([0, 1, 2].map((index) => menuProducts.get(`prod_many_${index}`)))).map(
          ({ record }) => record.published,
        );
      const page = await room.visit('/menu?q=Many');
      await page.getByRole('checkbox', { name: 'Select all' }).check();
      await page.getByRole('button', { name: 'Unpublish' }).click();
      await page.getByText('Changed: 3').waitFor();
      assert.deepEqual(await states(), [false, false, false]);
      await undo(page, 'Undone: 3.');
      assert.deepEqual(await states(), [true, false, true]);
      for (const index of [0, 1, 2]) await menuProducts.delete(`prod_many_${index}`);

      const database = (await cmsModels.list({ limit: 1 })).data[0]?.id ?? '';
      const count = async () => (await cmsEntries.list({ modelId: database, limit: 100 })).data.length;
      const entries = await count();
      await room.go(page, `/content/entries/${database}`);
      await page.getByRole('checkbox', { name: 'Select all' }).check();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await undoButton(page).waitFor();
      const left = await count();
      assert.ok(left < entries);
      await undo(page, `Undone: ${entries - left}.`);
      assert.equal(await count(), entries);
      await page.context().close();
    },
  },
  {
    name: 'history: kitchen staff undo a sold-out product, without a right to versions',
    run: async (room) => {
      const [product] = (await room.client.manage.menuProducts.list({ soldout: false, limit: 1 })).data;
      assert.ok(product);
      const name = product.name['en'] ?? '';
      const page = await room.visit(`/menu?q=${encodeURIComponent(name)}`, 'kitchen');
      await page.locator('label', { has: page.getByRole('switch', { name: `Sold out: ${name}` }) }).click();
      await undo(page);
      const { record } = await room.client.manage.menuProducts.get(product.id);
      assert.deepEqual([record.soldout, record.soldoutUntil], [false, null]);
      await page.context().close();
    },
  },
];
