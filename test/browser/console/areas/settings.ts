import { strict as assert } from 'node:assert';
import { assertFaultless } from '../look.ts';
import { type Screen, type Story, save, settled, untilKept } from '../room.ts';

export const screens: readonly Screen[] = [
  { name: 'settings agents', address: '/settings/agents' },
  {
    name: 'settings agent',
    address: '/settings/agents/agent_saffron',
    prepare: async (page) => {
      for (const all of await page.getByRole('checkbox', { name: /^All |^كل / }).all()) await all.uncheck();
    },
  },
  { name: 'settings new channel', address: '/settings/channels/new' },
  { name: 'settings customers', address: '/settings/customers' },
];

export const stories: readonly Story[] = [
  {
    name: 'settings: a name that was not saved comes back after a crash',
    run: async (room) => {
      const page = await room.visit('/settings', 'kitchen');
      const context = page.context();
      await page.getByRole('textbox', { name: 'Your name' }).fill('Karim of the kitchen');
      await untilKept(page, 'Karim of the kitchen');
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
    name: 'settings: an agent is made, refused, corrected, given a channel, and deleted',
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
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.waitForURL(/agents\/(?!new)/);
      await settled(page);
      const id = page.url().split('/').at(-1) ?? '';
      const made = { id, name: 'Night desk', enabled: true, instructions: '', tools: ['search_menu'] };
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
        ...{ id: channel, type: 'website', identifier: 'night.example', name: null, agentId: id },
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
