import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import type { Form } from '#lib/domain/forms/form.ts';
import { composeAsChromium, composeAsSafari } from '../../input-method.ts';
import { assertFocused, assertFocusTrapped, press, tabTo, type } from '../keyboard.ts';
import { type Room, type Screen, type Story, settled } from '../room.ts';

export const screens: readonly Screen[] = [];

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const text = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

/** Starts at the overview and uses the navigation. */
async function open(room: Room, area: string, person: 'manager' | 'kitchen' = 'manager'): Promise<Page> {
  const page = await room.visit('/overview', person);
  await page.keyboard.press('Tab');
  await assertFocused(page, button(page, 'Skip to content'));
  await press(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: area }));
  await page.getByRole('heading', { name: area, level: 1 }).waitFor();
  await settled(page);
  return page;
}

export const stories: readonly Story[] = [
  {
    name: 'keyboard: a cook marks products as sold out',
    run: async (room) => {
      const page = await open(room, 'Menu', 'kitchen');
      await type(page, page.getByRole('searchbox').first(), 'jareesh');
      await page.waitForURL(/q=jareesh/);
      await settled(page);
      const sold = page.getByRole('switch', { name: 'Sold out: Jareesh' });
      await press(page, sold, 'Space');
      await page.getByText('Jareesh is sold out.').waitFor();
      await assertFocused(page, sold);
      assert.equal((await room.client.manage.menuProducts.get('prod_jareesh')).record['soldout'], true);
      await page.keyboard.press('Space');
      await page.getByText('Jareesh is available again.').waitFor();
      await page.context().close();
    },
  },
  {
    name: 'keyboard: a member of the service desk takes a conversation over and replies',
    run: async (room) => {
      const customer = { externalId: crypto.randomUUID(), name: 'Kamal Keys' };
      const { id } = await room.client.conversations.open({ channelId: 'ch_site', customer });
      await room.client.conversations.send(id, { senderType: 'customer', text: 'Is there parking?' });
      const page = await open(room, 'Inbox');
      await press(page, page.getByRole('link', { name: /Kamal Keys/ }));
      await page.waitForURL(new RegExp(`#/inbox/${id}`));
      await press(page, button(page, 'Take over'));
      await page.getByText('You have the conversation. Agents stay silent.').waitFor();
      await type(page, text(page, 'Your reply'), 'Yes, behind the house.');
      await page.keyboard.press('Control+Enter');
      await page.getByRole('log').getByText('Yes, behind the house.').waitFor();
      await assertFocused(page, text(page, 'Your reply'));
      await page.context().close();
    },
  },
  {
    name: 'keyboard: a key that an input method uses neither sends a reply nor closes a dialog',
    run: async (room) => {
      const customer = { externalId: crypto.randomUUID(), name: 'Keiko Keys' };
      const { id } = await room.client.conversations.open({ channelId: 'ch_site', customer });
      const page = await room.visit(`/inbox/${id}`);
      const reply = text(page, 'Your reply');
      await composeAsSafari(reply, { typed: 'にほん', chosen: '日本', key: 'Enter' });
      await composeAsChromium(reply, { typed: 'nihao', chosen: '你好', key: 'Enter' });
      assert.equal(await reply.inputValue(), '日本你好');
      await reply.press('Control+Enter');
      await page.getByRole('log').getByText('日本你好').waitFor();
      assert.equal((await room.client.conversations.messages(id)).data.length, 1);
      await room.go(page, '/content/entries/articles/new');
      await button(page, 'Choose: Topics').click();
      await button(page, 'Create a new one').click();
      const name = text(page, 'Name *, English');
      for (const compose of [composeAsSafari, composeAsChromium]) {
        await compose(name, { typed: 'こめ', chosen: '米', key: 'Enter' });
        await compose(name, { typed: 'さけ', chosen: '', key: 'Escape' });
      }
      assert.equal(await name.inputValue(), '米米');
      await page.keyboard.press('Escape');
      await name.waitFor({ state: 'detached' });
      await page.context().close();
    },
  },
  {
    name: 'keyboard: a manager makes, rotates and revokes a key',
    run: async (room) => {
      const page = await open(room, 'Access');
      await press(page, link(page, 'New key'));
      await type(page, text(page, 'Name'), 'Keyboard key');
      await press(page, button(page, 'Create'));
      const secret = page.getByRole('alertdialog', { name: 'Copy the secret now' });
      await assertFocusTrapped(page, secret);
      await press(page, secret.getByRole('button', { name: 'I have stored it' }));
      await page.waitForURL(/#\/access\/keys\/(?!new).+/);
      await settled(page);
      await press(page, button(page, 'Rotate'));
      const asked = page.getByRole('dialog', { name: 'Give “Keyboard key” a new secret?' });
      await assertFocusTrapped(page, asked);
      await page.keyboard.press('Escape');
      await assertFocused(page, button(page, 'Rotate'));
      await page.keyboard.press('Enter');
      await press(page, asked.getByRole('button', { name: 'Rotate' }));
      await press(page, secret.getByRole('button', { name: 'I have stored it' }));
      await press(page, button(page, 'Revoke'));
      await assertFocusTrapped(page, page.getByRole('alertdialog'));
      await press(page, page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }));
      await page.getByText('The key no longer works.').waitFor();
      await tabTo(page, button(page, 'Make it work again'));
      await page.context().close();
    },
  },
  {
    name: 'keyboard: a manager builds a form',
    run: async (room) => {
      const page = await open(room, 'Forms');
      await press(page, link(page, 'New form'));
      await type(page, text(page, 'Title, English'), 'Typed by hand');
      await press(page, button(page, 'Add a field'));
      await type(page, text(page, 'Question, English'), 'Your name');
      await press(page, page.getByRole('checkbox', { name: 'Required' }), 'Space');
      await press(page, button(page, 'Create'));
      await page.waitForURL(/forms\/edit\/(?!new)/);
      const { record } = await room.client.manage.forms.get(page.url().split('/').at(-1) ?? '');
      const { slug, fields } = record as unknown as Form;
      assert.deepEqual(
        [slug, fields.map(({ ref, validations }) => [ref, validations.required])],
        ['typed-by-hand', [['yourName', true]]],
      );
      await page.context().close();
    },
  },
  {
    name: 'keyboard: a manager writes an entry and publishes it',
    run: async (room) => {
      const page = await open(room, 'Content');
      await press(page, page.getByRole('link', { name: /Topics/ }).first());
      await press(page, link(page, 'New entry'));
      await type(page, text(page, 'Name *, English'), 'Saffron');
      await press(page, button(page, 'Save and publish'));
      await page.getByText('Published.', { exact: true }).waitFor();
      await page.waitForURL(/entries\/topics\/edit\//);
      const id = page.url().split('/').at(-1) ?? '';
      const { record } = await room.client.manage.cmsEntries.get(`topics/${id}`);
      assert.equal(record['published'], true);
      await type(page, text(page, 'Name *, English'), 'Saffron threads');
      await press(page, link(page, 'Overview'));
      const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
      await assertFocusTrapped(page, question);
      await press(page, question.getByRole('button', { name: 'Leave' }));
      await page.waitForURL(/#\/overview$/);
      await page.context().close();
    },
  },
];
