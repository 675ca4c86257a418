import { strict as assert } from 'node:assert';
import type { Page, Request } from 'playwright-core';
import { eventually } from '../../eventually.ts';
import { press, tabTo } from '../keyboard.ts';
import { assertFaultless } from '../look.ts';
import { type Room, type Screen, type Story, settled } from '../room.ts';
import { endHeld, undo, undoButton } from '../undo-button.ts';
import { newTalk } from './inbox.ts';

export const screens: readonly Screen[] = [];

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Confirms a deletion, whose question says how long it can be undone. */
async function confirmDeletion(page: Page): Promise<void> {
  const question = page.getByRole('alertdialog');
  await question.getByText('You can undo this while the message about it is shown.').waitFor();
  await question.getByRole('button', { name: 'Delete' }).click();
  // Not until the page rests: the toast would end meanwhile.
  await question.waitFor({ state: 'detached' });
  await page.getByText(/^Being deleted: /).waitFor();
}

/** The deletions that a page has sent. */
function deletionsOf(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request: Request) => {
    const isBulk = request.postData()?.includes('"DELETE"') ?? false;
    if (request.method() === 'DELETE' || isBulk) sent.push(request.url());
  });
  return sent;
}

async function newCustomer(room: Room, name: string): Promise<string> {
  const record = { name, email: null, phone: null, externalId: null };
  return (await room.client.manage.customers.create(record)).record.id;
}

const customersNamed = async (room: Room, q: string) =>
  (await room.client.manage.customers.list({ q })).data.map(({ id }) => id);

/** A webhook, and the key that it works with. */
async function newWebhook(room: Room, url: string): Promise<string> {
  const { id: apiKeyId } = await room.client.access.createKey({
    name: 'Key of a webhook',
    permissions: ['menu:product:read'],
  });
  return (await room.client.manage.webhooks.create({ url, types: ['menu_product.updated'], apiKeyId })).record.id;
}

async function answeredForm(room: Room, slug: string): Promise<string> {
  const question = { id: 'ff_dish', ref: 'dish', title: { en: 'Dish' }, type: 'TEXT' as const, order: 1 };
  const { record } = await room.client.manage.forms.create({ slug, title: { en: slug }, fields: [question] });
  for (const dish of ['Kabsa', 'Mandi', 'Saleeg']) await room.client.submitForm(slug, { dish });
  return record.id;
}

const answersTo = async (room: Room, formId: string) =>
  (await room.client.manage.formResponses.list({ formId })).data.map(({ answers }) => answers['dish']).sort();

/** Begins to delete the record of an editor. */
async function deleteFromEditor(room: Room, page: Page, address: string): Promise<void> {
  await room.go(page, address);
  await button(page, 'Delete').click();
  await confirmDeletion(page);
}

export const stories: readonly Story[] = [
  {
    name: 'held: the deletion of a customer and of a webhook is sent when its toast ends, and not after an undo',
    run: async (room) => {
      const customer = await newCustomer(room, 'Held Back');
      const hook = await newWebhook(room, 'http://127.0.0.1:9/held');
      const isStored = {
        [`/settings/customers/${customer}`]: async () => (await customersNamed(room, 'Held')).length === 1,
        [`/settings/webhooks/${hook}`]: async () =>
          (await room.client.manage.webhooks.list({ q: 'held' })).data.length === 1,
      };
      const page = await room.visit('/overview');
      const sent = deletionsOf(page);
      for (const [address, look] of Object.entries(isStored)) {
        sent.splice(0);
        const row = page.getByRole('row', { name: /held/i });
        await deleteFromEditor(room, page, address);
        await row.waitFor({ state: 'detached' });
        await assertFaultless(page);
        await undo(page);
        await row.waitFor();
        assert.deepEqual(sent, []);
        assert.ok(await look());

        await deleteFromEditor(room, page, address);
        await row.waitFor({ state: 'detached' });
        assert.deepEqual(sent, []);
        await endHeld(page);
        await eventually(look, false);
        assert.equal(sent.length, 1);
        await settled(page);
        assert.equal(await row.count(), 0);
      }
      await page.context().close();
    },
  },
  {
    name: 'held: responses, one or several at once, come back after an undo, and are in no file until then',
    run: async (room) => {
      const id = await answeredForm(room, 'several');
      const page = await room.visit(`/forms/responses/${id}`);
      const sent = deletionsOf(page);
      await page.getByRole('row', { name: /Kabsa/ }).getByRole('button').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await confirmDeletion(page);
      await page.getByRole('row', { name: /Kabsa/ }).waitFor({ state: 'detached' });
      await undo(page);
      await page.getByRole('row', { name: /Kabsa/ }).waitFor();

      for (const dish of ['Kabsa', 'Mandi']) await page.getByRole('row', { name: dish }).getByRole('checkbox').check();
      await assertFaultless(page);
      await button(page, 'Delete the selected').click();
      await confirmDeletion(page);
      await page.getByText('Being deleted: responses (2)').waitFor();
      assert.equal(await page.getByRole('row').count(), 2);
      await undo(page);
      assert.equal(await page.getByRole('row').count(), 4);
      assert.deepEqual([sent, await answersTo(room, id)], [[], ['Kabsa', 'Mandi', 'Saleeg']]);

      await page.getByRole('checkbox', { name: 'Select all' }).check();
      await page
        .getByRole('row', { name: /Saleeg/ })
        .getByRole('checkbox')
        .uncheck();
      await button(page, 'Delete the selected').click();
      await confirmDeletion(page);
      await Promise.all([page.waitForEvent('download'), button(page, 'CSV of all').click()]);
      assert.deepEqual(await answersTo(room, id), ['Saleeg']);
      assert.equal(sent.length, 1);
      await page.context().close();
    },
  },
  {
    name: 'held: a deletion is sent when the next one begins, which alone can be undone then',
    run: async (room) => {
      const id = await answeredForm(room, 'one-by-one');
      const page = await room.visit(`/forms/responses/${id}`);
      for (const dish of ['Kabsa', 'Mandi']) {
        const row = page.getByRole('row', { name: dish });
        await row.getByRole('checkbox').check();
        await button(page, 'Delete the selected').click();
        await confirmDeletion(page);
        await row.waitFor({ state: 'detached' });
      }
      await eventually(() => answersTo(room, id), ['Mandi', 'Saleeg']);
      await undo(page);
      await page.getByRole('row', { name: 'Mandi' }).waitFor();
      assert.equal(await page.getByRole('row').count(), 3);
      await page.context().close();
    },
  },
  {
    name: 'held: a deletion is sent before another workspace is opened',
    run: async (room) => {
      const id = await newCustomer(room, 'Person Switch');
      const before = (await room.client.access.getMember('mem_both')).permissions;
      const more = ['messaging:customer:read', 'messaging:customer:manage'] as const;
      await room.client.access.updateMember('mem_both', { permissions: [...before, ...more] });
      const own = await room.window();
      const page = await own.newPage();
      await page.goto(`${room.url}/console`);
      await room.signIn(page, 'both');
      await page
        .getByRole('button', { name: /^Open / })
        .or(page.getByRole('navigation', { name: 'Main' }))
        .first()
        .waitFor();
      const open = page.getByRole('button', { name: /^Open / });
      if ((await open.count()) > 0) await open.first().click();
      const workspace = page.getByLabel('Workspace');
      await workspace.selectOption('ws_console');
      await settled(page);
      await deleteFromEditor(room, page, `/settings/customers/${id}`);
      await workspace.selectOption('ws_other');
      await settled(page);
      await eventually(async () => (await customersNamed(room, 'Switch')).length, 0);
      assert.equal(await workspace.inputValue(), 'ws_other');
      await room.client.access.updateMember('mem_both', { permissions: before });
      await own.close();
    },
  },
  {
    name: 'held: a deletion is sent by itself, on another screen, before a sign-out, and by a tab that closes or goes elsewhere',
    run: async (room) => {
      const names = ['Alone', 'Record', 'Screen', 'Signout', 'Closed', 'Elsewhere'];
      const ids = new Map<string, string>();
      for (const name of names) ids.set(name, await newCustomer(room, `Person ${name}`));
      const gone = (name: string) => eventually(async () => (await customersNamed(room, name)).length, 0);
      const begin = (page: Page, name: string) => deleteFromEditor(room, page, `/settings/customers/${ids.get(name)}`);
      const page = await room.visit('/overview');
      await begin(page, 'Alone');
      await gone('Alone');
      await page.getByText(/^Being deleted/).waitFor({ state: 'detached' });

      await begin(page, 'Record');
      await page.getByRole('link', { name: 'Person Screen' }).click();
      await gone('Record');
      await button(page, 'Delete').click();
      await confirmDeletion(page);
      assert.equal((await customersNamed(room, 'Screen')).length, 1);
      await page.getByRole('link', { name: 'Menu', exact: true }).click();
      await gone('Screen');
      await page.getByText(/^Being deleted/).waitFor({ state: 'detached' });

      await begin(page, 'Closed');
      await page.close({ runBeforeUnload: true });
      await gone('Closed');
      const other = await page.context().newPage();
      await begin(other, 'Elsewhere');
      await other.goto('about:blank');
      await gone('Elsewhere');
      await page.context().close();

      const own = await room.window();
      const leaving = await own.newPage();
      await leaving.goto(`${room.url}/console`);
      await room.signIn(leaving, 'manager');
      await begin(leaving, 'Signout');
      await button(leaving, 'Sign out').click();
      await gone('Signout');
      // A window that closes while its page changes may stay open in Chromium.
      await leaving.waitForURL((address) => !address.href.startsWith(`${room.url}/console`));
      await own.close();
    },
  },
  {
    name: 'held: a refused deletion brings the row back, and says why',
    run: async (room) => {
      await newTalk(room, 'Busy Person', 'Hello?');
      const [id] = await customersNamed(room, 'Busy');
      const page = await room.visit('/overview');
      await deleteFromEditor(room, page, `/settings/customers/${id}`);
      const row = page.getByRole('row', { name: /Busy Person/ });
      await row.waitFor({ state: 'detached' });
      await endHeld(page);
      await page
        .locator('.toast.failed')
        .getByText(/in use/)
        .waitFor();
      await row.waitFor();
      await page.context().close();
    },
  },
  {
    name: 'held: without a mouse: the toast is announced, waits while it has the focus, and Ctrl + Z presses its button',
    run: async (room) => {
      const id = await newCustomer(room, 'Keyboard Person');
      const page = await room.visit(`/settings/customers/${id}`);
      await page.clock.install();
      await press(page, button(page, 'Delete'));
      await press(page, page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }));
      await page.locator('section[aria-live="polite"]').getByText('Being deleted: Keyboard Person').waitFor();
      await tabTo(page, undoButton(page));
      await page.clock.runFor(60_000);
      assert.deepEqual(await customersNamed(room, 'Keyboard'), [id]);
      assert.equal(await undoButton(page).getAttribute('aria-keyshortcuts'), 'Control+Z Meta+Z');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Keyboard Person' }).waitFor();
      await page.clock.runFor(10_000);

      await press(page, page.getByRole('link', { name: 'Keyboard Person' }));
      await press(page, button(page, 'Delete'));
      await press(page, page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }));
      await page.getByText('Being deleted: Keyboard Person').waitFor();
      // In a text, the browser undoes what was typed.
      await page.getByRole('searchbox').focus();
      await page.keyboard.type('per');
      await page.keyboard.press('Control+z');
      await undoButton(page).waitFor();
      await page.getByRole('searchbox').blur();
      await page.keyboard.press('Control+z');
      await page.getByText('Undone.').waitFor();
      await undoButton(page).waitFor({ state: 'detached' });
      assert.deepEqual(await customersNamed(room, 'Keyboard'), [id]);
      await page.context().close();
    },
  },
];
