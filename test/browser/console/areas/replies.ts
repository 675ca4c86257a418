import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { eventually } from '../../eventually.ts';
import { assertFaultless } from '../look.ts';
import { type Screen, type Story, settled, waitForDraft } from '../room.ts';
import { newTalk } from './inbox.ts';

export const screens: readonly Screen[] = [];

const replyOf = (page: Page) => page.getByRole('textbox', { name: 'Your reply' });

const hasReply = (page: Page, text: string): Promise<void> => eventually(() => replyOf(page).inputValue(), text);

export const stories: readonly Story[] = [
  {
    name: 'replies: each conversation keeps its own unsent reply after a reload and after the session ends',
    run: async (room) => {
      const first = await newTalk(room, 'Ola One', 'Are you open today?');
      const second = await newTalk(room, 'Tala Two', 'Is there parking?');
      const page = await (await room.window()).newPage();
      await page.goto(`${room.url}/console`);
      await room.signIn(page, 'manager');
      await room.go(page, `/inbox/${first}`);
      await replyOf(page).fill('Until eleven.');
      await page.getByRole('link', { name: /Tala Two/ }).click();
      await page.waitForURL(new RegExp(`#/inbox/${second}`));
      await hasReply(page, '');
      await replyOf(page).fill('Behind the house.');
      await page.getByRole('link', { name: /Ola One/ }).click();
      await page.waitForURL(new RegExp(`#/inbox/${first}`));
      await hasReply(page, 'Until eleven.');
      await page.reload();
      await settled(page);
      await hasReply(page, 'Until eleven.');
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByText(/Your session has ended/).waitFor();
      await room.signIn(page, 'manager');
      await page.waitForURL(new RegExp(`#/inbox/${first}`));
      await hasReply(page, 'Until eleven.');
      await page.getByRole('link', { name: /Tala Two/ }).click();
      await hasReply(page, 'Behind the house.');
      for (const id of [first, second]) assert.equal((await room.client.conversations.messages(id)).data.length, 1);
      await page.context().close();
    },
  },
  {
    name: 'replies: two tabs with one conversation both keep their unsent replies',
    run: async (room) => {
      const id = await newTalk(room, 'Tuba Tabs', 'Hello?');
      const page = await room.visit(`/inbox/${id}`);
      await replyOf(page).fill('Of the first tab');
      await waitForDraft(page, 'Of the first tab');
      const other = await page.context().newPage();
      await room.go(other, `/inbox/${id}`);
      await hasReply(other, '');
      await replyOf(other).fill('Of the second tab');
      await waitForDraft(other, 'Of the second tab');
      await other.close({ runBeforeUnload: false });
      // The next tab gets the draft of the closed tab, beside its own.
      await page.reload();
      await settled(page);
      await hasReply(page, 'Of the first tab');
      await assertFaultless(page);
      await page.getByRole('button', { name: /^Show those of/ }).click();
      await hasReply(page, 'Of the second tab');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByRole('log').getByText('Of the second tab').waitFor();
      await page.getByRole('button', { name: /^Show those of/ }).click();
      await hasReply(page, 'Of the first tab');
      await page.context().close();
    },
  },
  {
    name: 'replies: text typed before the stored draft is loaded does not replace the draft',
    run: async (room) => {
      const id = await newTalk(room, 'Esra Early', 'Do you deliver?');
      const page = await room.visit(`/inbox/${id}`);
      await replyOf(page).fill('Kept from before');
      await waitForDraft(page, 'Kept from before');
      // Simulates a slow device: the form gets its draft only after a signal.
      await page.addInitScript(`(() => {
        const { locks } = navigator;
        const query = locks.query.bind(locks);
        const signal = new Promise((resolve) => { window.releaseDraft = resolve; });
        locks.query = async () => { await signal; return query(); };
      })()`);
      await page.reload();
      await replyOf(page).fill('Typed at once');
      await page.evaluate('releaseDraft()');
      await page.getByRole('button', { name: /^Show those of/ }).waitFor();
      await hasReply(page, 'Typed at once');
      await waitForDraft(page, 'Typed at once');
      await page.getByRole('button', { name: /^Show those of/ }).click();
      await hasReply(page, 'Kept from before');
      await page.getByRole('button', { name: /^Show those of/ }).click();
      await hasReply(page, 'Typed at once');
      await page.context().close();
    },
  },
  {
    name: 'replies: an agent hands a conversation over, and a member opens it from the notifications',
    run: async (room) => {
      const id = await newTalk(room, 'Hanan Handed', 'I want to speak to a human, please.');
      const page = await room.visit(`/inbox/${id}`);
      await page.getByRole('button', { name: /^Let .* answer$/ }).click();
      await eventually(async () => (await room.client.conversations.get(id)).status, 'pending');
      await room.go(page, '/overview');
      const panel = page.getByRole('region', { name: 'Notifications' });
      await panel.getByRole('link', { name: 'An agent handed a conversation over to the team' }).first().waitFor();
      await panel.locator(`a[href$="/inbox/${id}"]`).click();
      await page.waitForURL(new RegExp(`#/inbox/${id}`));
      await page.getByRole('heading', { name: 'Hanan Handed' }).waitFor();
      assert.equal(await page.locator('.inbox-head').getByLabel('Status').inputValue(), 'pending');
      await page.getByRole('button', { name: 'Take over' }).click();
      await page.getByText('You have the conversation. Agents stay silent.').waitFor();
      assert.deepEqual((await room.client.conversations.get(id)).assignee, { type: 'member', id: 'mem_manager' });
      await page.context().close();
    },
  },
];
