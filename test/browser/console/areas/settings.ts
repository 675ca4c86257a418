import { strict as assert } from 'node:assert';
import { assertFaultless } from '../look.ts';
import { type Screen, type Story, save, settled, waitForDraft } from '../room.ts';

export const screens: readonly Screen[] = [
  { name: 'settings agents', address: '/settings/agents' },
  {
    name: 'settings agent',
    address: '/settings/agents/agent_saffron',
    prepare: async (page) => {
      for (const all of await page.getByRole('checkbox', { name: /^All |^كل / }).all()) await all.uncheck();
    },
  },
  {
    name: 'settings languages',
    address: '/settings',
    prepare: async (page) => {
      await page.locator('fieldset [aria-haspopup=dialog]').click();
      await page.locator('.target-choice').first().waitFor();
    },
  },
  { name: 'settings new channel', address: '/settings/channels/new' },
  { name: 'settings customers', address: '/settings/customers' },
];

export const stories: readonly Story[] = [
  {
    name: 'settings: a manager erases a customer with all that is theirs, after a question',
    run: async (room) => {
      const page = await room.visit('/settings/customers/new');
      await page.getByRole('textbox', { name: 'Name' }).fill('Gone Person');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.waitForURL(/customers\/(?!new)/);
      const erase = page.getByRole('button', { name: 'Erase this person' });
      await erase.click();
      const question = page.getByRole('alertdialog', { name: 'Erase “Gone Person”?' });
      await question.getByRole('checkbox', { name: /form responses/ }).check();
      await assertFaultless(page);
      await question.getByRole('button', { name: 'Cancel' }).click();
      await erase.click();
      const isErased = page.waitForResponse(
        (response) => response.request().method() === 'DELETE' && response.status() === 202,
      );
      await Promise.all([isErased, question.getByRole('button', { name: 'Erase for ever' }).click()]);
      await page.getByText('The person is erased.').waitFor();
      await page.waitForURL(/\/settings\/customers$/);
    },
  },
  {
    name: 'settings: a manager finds a language by name or code, changes the order, and sees languages by name',
    run: async (room) => {
      const page = await room.visit('/settings');
      const dialog = page.getByRole('dialog', { name: 'Choose a language' });
      const search = dialog.getByRole('searchbox', { name: 'Search by name or code' });
      const add = page.getByRole('button', { name: 'Add a language' });
      const rows = page.getByRole('group', { name: 'Languages' }).getByRole('listitem');
      const listed = async () => (await rows.locator('code').allTextContents()).join();
      await add.click();
      // The search field has the focus, and a listed language is not offered again.
      await page.keyboard.type('engl');
      await dialog.getByRole('button', { name: 'British English en-GB' }).waitFor();
      assert.equal(await dialog.getByRole('button', { name: 'English en', exact: true }).count(), 0);
      await assertFaultless(page);
      await search.fill('frenc');
      await dialog.getByRole('button', { name: /^French .*fr$/ }).click();
      await add.and(page.locator(':focus')).waitFor();
      await add.click();
      await search.fill('EN-za');
      await dialog.getByRole('button', { name: /en-ZA$/ }).click();
      await page.getByRole('button', { name: 'Remove: French' }).waitFor();
      assert.equal(await listed(), 'en,ar,fr,en-ZA');
      await page.getByRole('button', { name: 'Move up: French' }).click();
      await page.getByRole('button', { name: /^Remove: English \(South Africa/ }).click();
      const main = page.getByRole('combobox', { name: 'Main language' });
      assert.deepEqual(await main.locator('option').allTextContents(), ['English', 'French', 'Arabic']);
      const saving = page.getByRole('button', { name: 'Save', exact: true }).last();
      const isStored = () =>
        page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok());
      await Promise.all([isStored(), saving.click()]);
      // Before the form has handled the response, leaving it would ask about unsaved changes.
      await page.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'hidden' });
      await room.go(page, '/menu/categories/new');
      await page.getByRole('textbox', { name: 'Name, French' }).waitFor();
      await room.go(page, '/settings');
      assert.equal(await listed(), 'en,fr,ar');
      await page.getByRole('button', { name: 'Remove: French' }).click();
      await Promise.all([isStored(), saving.click()]);
      await page.context().close();
    },
  },
  {
    name: 'settings: a member finds an unsaved name after a crash',
    run: async (room) => {
      const page = await room.visit('/settings', 'kitchen');
      const context = page.context();
      await page.getByRole('textbox', { name: 'Your name' }).fill('Karim of the kitchen');
      await waitForDraft(page, 'Karim of the kitchen');
      await page.close({ runBeforeUnload: false });
      const again = await context.newPage();
      await room.go(again, '/settings');
      await again.locator('input[value="Karim of the kitchen"]').waitFor();
      const name = again.getByRole('textbox', { name: 'Your name' });
      await name.fill('Karim Kitchen');
      await again.getByRole('link', { name: 'Overview' }).click();
      await again.getByRole('heading', { name: 'Hello, Karim Kitchen' }).waitFor();
      await context.close();
    },
  },
  {
    name: 'settings: a manager types a currency code or chooses a currency by name',
    run: async (room) => {
      const page = await room.visit('/settings');
      const currency = page.getByRole('combobox', { name: 'Currency' });
      await page.locator('p', { hasText: /^Saudi Riyal$/ }).waitFor();
      await currency.fill('eur');
      assert.equal(await currency.inputValue(), 'EUR');
      await page.locator('p', { hasText: /^Euro$/ }).waitFor();
      await page.locator('datalist option[value="SAR"]', { hasText: 'Saudi Riyal' }).waitFor({ state: 'attached' });
      await currency.fill('eu');
      await page.getByRole('button', { name: 'Save', exact: true }).last().click();
      await page.getByText('Must be a currency such as SAR, or null.').first().waitFor();
      assert.equal(await currency.inputValue(), 'EU');
      await page.getByRole('button', { name: 'Discard changes' }).click();
      assert.equal(await currency.inputValue(), 'SAR');
      await page.context().close();
    },
  },
  {
    name: 'settings: a manager makes an agent, corrects a refused one, connects a channel, and deletes the agent',
    run: async (room) => {
      const { agents, channels } = room.client.manage;
      const page = await room.visit('/settings');
      await page.getByRole('link', { name: 'Agents', exact: true }).click();
      await page.getByRole('link', { name: 'New agent' }).click();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Night desk');
      await page.getByRole('textbox', { name: 'Model' }).fill('nonsense');
      await page.getByRole('checkbox', { name: 'All tools' }).uncheck();
      await page.getByRole('checkbox', { name: 'Search the menu' }).check();
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('alert').waitFor();
      await assertFaultless(page);
      await page.getByRole('textbox', { name: 'Model' }).fill('');
      const language = page.getByRole('button', { name: /^Language/ });
      await language.click();
      await page.getByRole('dialog').getByRole('button', { name: /ja$/ }).click();
      assert.equal(await language.textContent(), 'Japanese');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.waitForURL(/agents\/(?!new)/);
      await settled(page);
      const id = page.url().split('/').at(-1) ?? '';
      const made = { id, name: 'Night desk', enabled: true, instructions: '', tools: ['search_menu'], language: 'ja' };
      assert.deepEqual((await agents.get(id)).record, made);
      await page.getByRole('checkbox', { name: 'All tools' }).check();
      await save(page);
      const { tools: _, ...withAllTools } = made;
      assert.deepEqual((await agents.get(id)).record, withAllTools);
      await room.go(page, '/settings/channels/new');
      await page.getByRole('textbox', { name: 'Identifier' }).fill('https://www.Night.example/desk');
      await page.getByRole('combobox', { name: 'Who answers there' }).selectOption({ label: 'Night desk' });
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.waitForURL(/channels\/(?!new)/);
      const channel = page.url().split('/').at(-1) ?? '';
      assert.deepEqual((await channels.get(channel)).record, {
        id: channel,
        type: 'website',
        identifier: 'night.example',
        name: null,
        agentId: id,
      });
      await channels.delete(channel);
      await room.go(page, `/settings/agents/${id}`);
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await page.waitForURL(/#\/settings\/agents$/);
      await assert.rejects(agents.get(id));
      await page.context().close();
    },
  },
];
