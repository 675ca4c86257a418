import { beforeAll, expect, it } from '@jest/globals';
import { ApiError } from '#lib/client/api-error.ts';
import { WorkspaceClient } from '#lib/client/client.ts';
import { demoKeys } from '#test/support/demo-workspace.ts';
import { openTarget } from '#test/support/target.ts';

let client: WorkspaceClient;
beforeAll(async () => {
  client = new WorkspaceClient({ baseUrl: (await openTarget()).url, apiKey: demoKeys.desk });
});

it('a conversation can be opened, read, listed and changed, and gets messages', async () => {
  const { conversations } = client;
  const customer = { externalId: crypto.randomUUID() };
  const opened = await conversations.open({ channelId: 'ch_site', customer });
  expect((await conversations.open({ channelId: 'ch_site', customer })).id).toBe(opened.id);
  const sent = await conversations.send(opened.id, { senderType: 'customer', text: 'Hello.' });
  expect((await conversations.messages(opened.id)).data).toEqual([sent]);
  const { customerId } = opened;
  const listed = [];
  for await (const conversation of conversations.all({ customerId: customerId ?? '', limit: 1 }))
    listed.push(conversation);
  expect(listed).toMatchObject([{ id: opened.id, lastMessage: 'Hello.', unreadCount: 1 }]);
  expect(await conversations.markRead(opened.id, sent.id)).toBe(sent.id);
  expect((await conversations.list({ customerId: customerId ?? '' })).data).toMatchObject([{ unreadCount: 0 }]);
  expect((await conversations.update(opened.id, { status: 'resolved' })).status).toBe('resolved');
  expect(await conversations.get(opened.id)).toMatchObject({ id: opened.id, status: 'resolved' });
});

it('a conversation is read with its version, which a change can require', async () => {
  const customer = { externalId: crypto.randomUUID() };
  const { id } = await client.conversations.open({ channelId: 'ch_site', customer });
  const { conversation, etag } = await client.conversations.getVersioned(id);
  expect(conversation).toEqual(await client.conversations.get(id));
  const changed = await client.conversations.updateVersioned(id, { language: 'ar' }, { ifMatch: etag });
  expect(changed.etag).not.toBe(etag);
  expect(await client.conversations.getVersioned(id)).toEqual(changed);
  await expect(client.conversations.update(id, { language: 'en' }, { ifMatch: etag })).rejects.toMatchObject({
    status: 412,
  });
  expect(await client.conversations.get(id)).toMatchObject({ language: 'ar' });
});

it('a version that has changed is an ApiError', async () => {
  const { id } = await client.conversations.open({
    channelId: 'ch_site',
    customer: { externalId: crypto.randomUUID() },
  });
  await expect(client.conversations.update(id, { status: 'open' }, { ifMatch: '"other"' })).rejects.toBeInstanceOf(
    ApiError,
  );
});
