import { strict as assert } from 'node:assert';
import { eventually } from '../../eventually.ts';
import { assertFaultless } from '../look.ts';
import { type Room, type Screen, type Story, settled, waitForDraft } from '../room.ts';

export const screens: readonly Screen[] = [
  { name: 'inbox', address: '/inbox' },
  { name: 'inbox without a match', address: '/inbox?status=snoozed' },
  { name: 'conversation', address: '/inbox/conv_huda' },
  { name: 'conversation in Arabic', address: '/inbox/conv_abdullah' },
  {
    name: 'conversation with details',
    address: '/inbox/conv_huda',
    prepare: async (page) => page.locator('.inbox-details summary').click(),
  },
];

/** A conversation of a new customer, with one message. */
export async function newTalk(room: Room, name: string, text: string): Promise<string> {
  const customer = { externalId: crypto.randomUUID(), name };
  const { id } = await room.client.conversations.open({ channelId: 'ch_site', customer });
  await room.client.conversations.send(id, { senderType: 'customer', text });
  return id;
}

const textsOf = async (room: Room, id: string) =>
  (await room.client.conversations.messages(id)).data.map(({ senderType, text }) => `${senderType}: ${text}`);

export const stories: readonly Story[] = [
  {
    name: 'inbox: a member with a narrow window goes back from a conversation that does not exist',
    run: async (room) => {
      const page = await room.visit('/inbox/conv_gone', 'manager', { viewport: { width: 390, height: 844 } });
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      await page.getByRole('link', { name: 'Back', exact: true }).click();
      await page.waitForURL(/#\/inbox$/);
      await page.context().close();
    },
  },
  {
    name: 'inbox: a member takes a conversation over, replies, hands it back and resolves it',
    run: async (room) => {
      const id = await newTalk(room, 'Salma Story', 'Do you have a table for six?');
      const page = await room.visit('/inbox?unread=true');
      await page.getByRole('link', { name: /Salma Story/ }).click();
      await page.waitForURL(new RegExp(`#/inbox/${id}`));
      await page.getByRole('button', { name: 'Take over' }).click();
      await page.getByText('You have the conversation. Agents stay silent.').waitFor();
      assert.deepEqual((await room.client.conversations.get(id)).assignee, { type: 'member', id: 'mem_manager' });
      const reply = page.getByRole('textbox', { name: 'Your reply' });
      await reply.fill('نعم، أهلًا بكم');
      const direction = "getComputedStyle(document.querySelector('.inbox-composer textarea')).direction";
      assert.equal(await page.evaluate(direction), 'rtl');
      await reply.press('Control+Enter');
      await page.getByRole('log').getByText('نعم، أهلًا بكم').waitFor();
      assert.deepEqual(await textsOf(room, id), ['customer: Do you have a table for six?', 'member: نعم، أهلًا بكم']);
      assert.equal(await reply.inputValue(), '');
      await assertFaultless(page);
      await page.getByRole('button', { name: /^Hand back to/ }).click();
      await page.getByText(/answers again/).waitFor();
      assert.equal((await room.client.conversations.get(id)).assignee?.type, 'agent');
      await page.locator('.inbox-head').getByLabel('Status').selectOption({ label: 'Resolved' });
      await eventually(async () => (await room.client.conversations.get(id)).status, 'resolved');
      await page.context().close();
    },
  },
  {
    name: 'inbox: a member with an open conversation sees that a colleague has taken it over',
    run: async (room) => {
      const id = await newTalk(room, 'Tariq Taken', 'Is anybody there?');
      const page = await room.visit(`/inbox/${id}`);
      const assignee = page.locator('.inbox-head').getByLabel('Assigned to');
      assert.equal(await assignee.inputValue(), '');
      await room.client.conversations.update(id, { assignee: { type: 'member', id: 'mem_lina' } });
      const taken = page.locator('.inbox-head option:checked[value="member/mem_lina"]');
      await taken.waitFor({ state: 'attached' });
      await page.context().close();
    },
  },
  {
    name: 'inbox: a member sees a new message without a reload, and reading it clears the unread count',
    run: async (room) => {
      const id = await newTalk(room, 'Karim Count', 'First');
      const page = await room.visit('/inbox');
      const row = page.getByRole('link', { name: /Karim Count/ });
      await row.getByText('Unread: 1').waitFor({ state: 'attached' });
      await row.click();
      await page.getByRole('log').getByText('First').waitFor();
      await row.getByText('Unread: 1').waitFor({ state: 'detached' });
      await room.client.conversations.send(id, { senderType: 'customer', text: 'Second' });
      await page.getByRole('log').getByText('Second').waitFor();
      // The transferred responses. The page itself sees the contents of its cache.
      const statuses: number[] = [];
      const network = await page.context().newCDPSession(page);
      network.on('Network.responseReceivedExtraInfo', ({ statusCode }) => statuses.push(statusCode));
      await network.send('Network.enable');
      // The first poll after a message has a new address.
      const isQuiet = () => statuses.length >= 4 && statuses.slice(-2).every((status) => status === 304);
      await eventually(async () => isQuiet() || statuses.join(), true);
      await page.context().close();
    },
  },
  {
    name: "inbox: a member sees an agent's reply grow; the agent stays silent after the team has taken over",
    run: async (room) => {
      const id = await newTalk(room, 'Aisha Agent', 'How much is the lamb kabsa?');
      const page = await room.visit(`/inbox/${id}`);
      await page.getByRole('button', { name: /^Let .* answer$/ }).click();
      await page.getByRole('log').getByText(/SAR/).waitFor();
      await page.getByRole('button', { name: /^Let .* answer$/ }).waitFor({ state: 'detached' });
      await eventually(async () => (await textsOf(room, id)).length, 2);
      assert.match((await textsOf(room, id))[1] ?? '', /^agent: .*SAR/);
      await room.client.conversations.send(id, { senderType: 'customer', text: 'And the mint tea?' });
      await page.getByRole('button', { name: 'Take over' }).click();
      await page.getByText('Agents stay silent while the team has this conversation.').waitFor();
      assert.equal(await page.getByRole('button', { name: /^Let .* answer$/ }).count(), 0);
      await page.context().close();
    },
  },
  {
    name: 'inbox: two members change one conversation, and the later one chooses the values to keep',
    run: async (room) => {
      const id = await newTalk(room, 'Tariq Two', 'Salam');
      const page = await room.visit(`/inbox/${id}`);
      const reply = page.getByRole('textbox', { name: 'Your reply' });
      await reply.fill('Half a reply');
      await page.locator('.inbox-details summary').click();
      const language = page.locator('.inbox-details').getByRole('button', { name: /^Language/ });
      // The next poll would show the other member's change, but it is seconds away.
      await page.waitForResponse((response) => response.url().includes(`${id}/messages`));
      await room.client.conversations.update(id, { language: 'ar', status: 'snoozed' });
      await language.click();
      await page.getByRole('dialog').getByRole('button', { name: 'English en', exact: true }).click();
      const dialog = page.getByRole('alertdialog', { name: 'Somebody else changed this' });
      const row = dialog.getByRole('row', { name: /Language/ });
      assert.match(String(await row.textContent()), /English.*Arabic/);
      assert.match(String(await dialog.getByRole('row', { name: /Status/ }).textContent()), /Open.*Snoozed/);
      await assertFaultless(page);
      assert.equal((await room.client.conversations.get(id)).language, 'ar');
      await dialog.getByRole('button', { name: 'Keep this choice' }).click();
      await dialog.waitFor({ state: 'detached' });
      const stored = async () => {
        const { language: kept, status } = await room.client.conversations.get(id);
        return [kept, status];
      };
      await eventually(stored, ['en', 'snoozed']);
      await eventually(() => language.textContent(), 'English');
      assert.equal(await reply.inputValue(), 'Half a reply');
      await page.context().close();
    },
  },
  {
    name: 'inbox: a member keeps an unsent reply after a reload, and a lost response does not send it twice',
    run: async (room) => {
      const id = await newTalk(room, 'Dina Draft', 'Hello?');
      const page = await room.visit(`/inbox/${id}`);
      const reply = page.getByRole('textbox', { name: 'Your reply' });
      await reply.fill('We open at noon.');
      await waitForDraft(page, 'We open at noon.');
      await page.reload();
      await settled(page);
      await eventually(() => reply.inputValue(), 'We open at noon.');
      // The service stores the message, but its response is lost.
      await page.route('**/messages', async (route) => {
        if (route.request().method() === 'POST') await route.fetch();
        await route.abort();
      });
      await page.getByRole('button', { name: 'Send' }).click();
      await page
        .getByRole('alert')
        .getByText(/This was not sent/)
        .waitFor();
      await page.unroute('**/messages');
      await page.reload();
      await settled(page);
      await eventually(() => reply.inputValue(), 'We open at noon.');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('log').getByText('We open at noon.').waitFor();
      assert.deepEqual(await textsOf(room, id), ['customer: Hello?', 'member: We open at noon.']);
      room.forgive(/ERR_FAILED/);
      await page.context().close();
    },
  },
  {
    name: 'inbox: a member attaches, sees and downloads files, and loads older messages',
    run: async (room) => {
      const id = await newTalk(room, 'Fadi Files', 'Number 0');
      for (let number = 1; number < 60; number++)
        await room.client.conversations.send(id, { senderType: 'customer', text: `Number ${number}` });
      const page = await room.visit(`/inbox/${id}`);
      await page.getByRole('log').getByText('Number 59').waitFor();
      assert.equal(await page.getByRole('log').getByText('Number 3', { exact: true }).count(), 0);
      await page.getByRole('button', { name: 'Show older messages' }).click();
      await page.getByRole('log').getByText('Number 3', { exact: true }).waitFor();
      await page.getByLabel('Attach files').setInputFiles([
        { name: 'pixel.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') },
        { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('Hello') },
      ]);
      await page.getByRole('button', { name: 'Remove pixel.png' }).waitFor();
      await page.getByRole('button', { name: 'Send' }).click();
      const picture = page.getByRole('link', { name: 'Download pixel.png' });
      await picture.waitFor();
      // Pictures are loaded when they come into view.
      await picture.scrollIntoViewIfNeeded();
      await picture.locator('img').evaluate('(image) => image.decode()');
      const downloading = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download note.txt' }).click();
      assert.equal((await downloading).suggestedFilename(), 'note.txt');
      await assertFaultless(page);
      await page.context().close();
    },
  },
];

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
