import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { eventually } from '../../eventually.ts';
import { type Room, type Screen, type Story, save, settled } from '../room.ts';
import { undo, undoButton } from '../undo-button.ts';
import { newTalk } from './inbox.ts';

export const screens: readonly Screen[] = [];

// Saves, bulk edits and restores are in history.ts, deletions that nothing brings back in held.ts, new records in creations.ts.

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const name = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true });

const newKey = (room: Room, called: string) =>
  room.client.access.createKey({ name: called, permissions: ['menu:product:read'] });

/** Presses a button that changes its record at once, and confirms it if it asks. */
async function act(page: Page, label: string, told: RegExp | string): Promise<void> {
  await button(page, label).click();
  const question = page.getByRole('alertdialog');
  await page.getByText(told).or(question).first().waitFor();
  if ((await question.count()) > 0) await question.getByRole('button', { name: label }).click();
  await page.getByText(told).first().waitFor();
  await settled(page);
}

export const stories: readonly Story[] = [
  {
    name: 'undo: a key that was revoked or works again, a member, a webhook: each is as it was, and so is its screen',
    run: async (room) => {
      const { access, manage } = room.client;
      const key = await newKey(room, 'Switched');
      const member = await access.createMember({ name: 'Switched', permissions: [] });
      const hook = { url: 'http://127.0.0.1:9/switched', types: ['form.created'] as const, apiKeyId: key.id };
      const { record: webhook } = await manage.webhooks.create({ ...hook, types: [...hook.types] });
      const page = await room.visit(`/access/keys/${key.id}`);
      const isRevoked = async () => (await access.getKey(key.id)).revokedAt !== null;
      await act(page, 'Revoke', 'The key no longer works.');
      assert.ok(await isRevoked());
      await undo(page);
      assert.ok(!(await isRevoked()));
      await act(page, 'Revoke', 'The key no longer works.');
      await act(page, 'Make it work again', 'The key works again.');
      assert.ok(!(await isRevoked()));
      await undo(page);
      await button(page, 'Make it work again').waitFor();
      assert.ok(await isRevoked());
      await act(page, 'Make it work again', 'The key works again.');
      // Its form has the version that the change has made.
      await name(page).fill('Switched and saved');
      await save(page);

      await room.go(page, `/access/members/${member.id}`);
      const isActive = async () => (await access.getMember(member.id)).active;
      await act(page, 'Deactivate', /can no longer sign in/);
      assert.ok(!(await isActive()));
      await undo(page);
      await button(page, 'Deactivate').waitFor();
      assert.ok(await isActive());

      await room.go(page, `/settings/webhooks/${webhook.id}`);
      const isOn = async () => (await manage.webhooks.get(webhook.id)).record.enabled;
      await act(page, 'Switch off', 'The webhook is off.');
      assert.ok(!(await isOn()));
      await undo(page);
      await button(page, 'Switch off').waitFor();
      assert.ok(await isOn());
      await act(page, 'Switch off', 'The webhook is off.');
      await act(page, 'Switch on', 'The webhook is on.');
      await undo(page);
      await button(page, 'Switch on').waitFor();
      assert.ok(!(await isOn()));
      await manage.webhooks.delete(webhook.id);
      await page.context().close();
    },
  },
  {
    name: 'undo: a switch that somebody has changed since stays, and the toast says so',
    run: async (room) => {
      const { access } = room.client;
      const { id } = await access.createMember({ name: 'Meanwhile', permissions: [] });
      const page = await room.visit(`/access/members/${id}`);
      await act(page, 'Deactivate', /can no longer sign in/);
      await access.updateMember(id, { name: 'Renamed meanwhile' });
      await undoButton(page).click();
      await page.getByText(/^Somebody changed this in the meantime/).waitFor();
      assert.equal((await access.getMember(id)).active, false);
      await page.context().close();
    },
  },
  {
    name: 'undo: a conversation that was taken over, handed back, assigned, resolved or given a language is as it was',
    run: async (room) => {
      const id = await newTalk(room, 'Undone Talk', 'Is this undone?');
      const facts = async () => {
        const { status, assignee, language } = await room.client.conversations.get(id);
        return { status, assignee, language };
      };
      const page = await room.visit(`/inbox/${id}`);
      const head = page.locator('.inbox-head');
      const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
        ['taken over', () => page.getByRole('button', { name: 'Take over' }).click()],
        ['resolved', () => head.getByLabel('Status').selectOption({ label: 'Resolved' })],
        ['assigned', () => head.getByLabel('Assigned to').selectOption('member/mem_lina')],
        ['handed back', () => page.getByRole('button', { name: /^Hand back to/ }).click()],
        [
          'another language',
          async () => {
            await page.locator('.inbox-details summary').click();
            await page
              .locator('.inbox-details')
              .getByRole('button', { name: /^Language/ })
              .click();
            await page.getByRole('dialog').getByRole('button', { name: /ar$/ }).first().click();
          },
        ],
      ];
      for (const [what, change] of steps) {
        const before = await facts();
        // Agents take back only what the team has.
        if (what === 'handed back') {
          await room.client.conversations.update(id, {
            assignee: { type: 'member', id: 'mem_lina' },
            status: 'pending',
          });
          await room.go(page, '/inbox');
          await room.go(page, `/inbox/${id}`);
        }
        const now = what === 'handed back' ? await facts() : before;
        await change();
        await undoButton(page).waitFor();
        await settled(page);
        assert.notDeepEqual(await facts(), now, what);
        await undo(page);
        await eventually(facts, now);
      }
      await head.getByLabel('Status').selectOption({ label: 'Snoozed' });
      await undoButton(page).waitFor();
      await room.client.conversations.update(id, { language: 'en' });
      await undoButton(page).click();
      await page.getByText(/^Somebody changed this in the meantime/).waitFor();
      assert.equal((await facts()).status, 'snoozed');
      await page.context().close();
    },
  },
  {
    name: 'undo: notifications, one or all, are unread again, and sold out has its former end',
    run: async (room) => {
      const { forms, notifications, menuProducts } = room.client.manage;
      await forms.create({ slug: 'noisy', title: { en: 'Noisy' }, fields: [] });
      for (const _ of [1, 2]) await room.client.submitForm('noisy', {});
      const unread = async () => (await notifications.list({ unread: true })).data.map(({ id }) => id).sort();
      const before = await unread();
      assert.ok(before.length > 1);
      const page = await room.visit('/overview/notifications');
      await page
        .getByRole('button', { name: /^Mark as read: New response to “Noisy”/ })
        .first()
        .click();
      await page.getByText('Marked as read.').waitFor();
      await eventually(async () => (await unread()).length, before.length - 1);
      await undo(page);
      assert.deepEqual(await unread(), before);
      await button(page, 'Mark all as read').click();
      await undoButton(page).waitFor();
      assert.deepEqual(await unread(), []);
      await undo(page, `Undone: ${before.length}.`);
      assert.deepEqual(await unread(), before);

      const [product] = (await menuProducts.list({ soldout: false, limit: 1 })).data;
      assert.ok(product);
      await menuProducts.update(product.id, { soldout: true, soldoutUntil: '2031-01-01T00:00:00.000Z' });
      await room.go(page, `/menu?q=${encodeURIComponent(product.name['en'] ?? '')}`);
      const until = page.getByLabel(`Sold out until, ${product.name['en']}`);
      await until.selectOption({ label: 'Until changed' });
      await undoButton(page).waitFor();
      const { record } = await menuProducts.get(product.id);
      assert.deepEqual([record.soldout, record.soldoutUntil], [true, null]);
      await undo(page);
      assert.equal((await menuProducts.get(product.id)).record.soldoutUntil, '2031-01-01T00:00:00.000Z');
      await menuProducts.update(product.id, { soldout: false });
      await page.context().close();
    },
  },
  {
    name: 'undo: the own name and language are as they were',
    run: async (room) => {
      const page = await room.visit('/settings', 'kitchen');
      const field = page.getByRole('textbox', { name: 'Your name' });
      const stored = async () => (await room.client.access.getMember('mem_kitchen')).name;
      await field.fill('Another Karim');
      await save(page);
      assert.equal(await stored(), 'Another Karim');
      await undo(page);
      assert.deepEqual([await stored(), await field.inputValue()], ['Karim Kitchen', 'Karim Kitchen']);
      await field.fill('Another Karim');
      await save(page);
      await room.client.access.updateMember('mem_kitchen', { name: 'Of a manager' });
      await undoButton(page).click();
      await page.getByText(/^Somebody changed this in the meantime/).waitFor();
      await room.client.access.updateMember('mem_kitchen', { name: 'Karim Kitchen' });
      await page.context().close();
    },
  },
  {
    name: 'undo: a new secret, an erased person and a declined membership are final, and the question says so',
    run: async (room) => {
      const key = await newKey(room, 'Final');
      const page = await room.visit(`/access/keys/${key.id}`);
      await button(page, 'Rotate').click();
      await page
        .getByRole('dialog')
        .getByText(/this is final/)
        .waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      const { record } = await room.client.manage.customers.create({
        ...{ name: 'Final', email: null, phone: null, externalId: null },
      });
      await room.go(page, `/settings/customers/${record.id}`);
      await button(page, 'Erase this person').click();
      await page
        .getByRole('alertdialog')
        .getByText(/can be brought back/)
        .waitFor();
      await page.context().close();
    },
  },
];
