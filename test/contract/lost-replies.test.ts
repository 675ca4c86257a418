import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { Permission } from '#lib/domain/access/permission.ts';
import { png } from '#test/support/image-files.ts';
import { someOf } from '#test/support/long-run.ts';
import { MailSink } from '#test/support/mail-sink.ts';
import { fetchImage, imagePart, mediaAddress, sendDirectly, upload } from '#test/support/media.ts';
import { allItems } from '#test/support/own-table.ts';
import { startTableProxy } from '#test/support/proxied-table.ts';
import { shortenPauses } from '#test/support/short-pauses.ts';
import { sweepFiles } from '#test/support/stored-files.ts';
import { WebhookRoom } from '#test/support/webhook-room.ts';
import { sweepWebhooks } from '#test/support/webhook-work.ts';
import type { Document } from '#test/support/world.ts';

// Imported from here on, so that the table is behind the proxy.
const { call } = await import('#test/support/call.ts');
const { openWorkspace } = await import('#test/support/workspace.ts');

const webhooks = WebhookRoom.forTests();
const proxy = await startTableProxy();
let mail: MailSink;
beforeAll(async () => {
  mail = await MailSink.start();
  process.env['PUBLIC_URL'] = 'https://api.saffron.example';
  shortenPauses();
});
afterEach(() => proxy.heal());
afterAll(() => mail.stop());

const conflict = {
  kind: 'error',
  type: 'TransactionCanceledException',
  status: 400,
  more: { CancellationReasons: [{ Code: 'TransactionConflict' }] },
} as const;

/** The reply of the next transaction is lost. Then something else happens, and the retry meets a lock of it. */
function loseReply(happens: () => Promise<unknown> = async () => undefined): void {
  const meanwhile = async () => {
    await happens();
    proxy.plan('TransactWriteItems', conflict, 1);
  };
  proxy.plan('TransactWriteItems', { kind: 'reset after', meanwhile }, 1);
}

it('an image is removed, and another call finds it gone', async () => {
  const { editor, owner } = (await openWorkspace('media')).keys;
  const { id } = (await upload(editor, [imagePart()])).json;
  const remove = () => call(`DELETE ${mediaAddress}/${id}`, { key: owner });
  loseReply();
  expect((await remove()).status).toBe(204);
  expect((await remove()).status).toBe(404);
});

it('an image is confirmed, although it is removed at once', async () => {
  const { editor, owner } = (await openWorkspace('media')).keys;
  const { id } = await sendDirectly(editor, png());
  loseReply(() => call(`DELETE ${mediaAddress}/${id}`, { key: owner }));
  expect((await call(`POST ${mediaAddress}/${id}`, { key: editor })).status).toBe(200);
});

it.each(['a new key', 'a rotated key'])('%s is answered with its secret', async (made) => {
  const { keys } = await openWorkspace('access');
  const send = (path: string, body: object) =>
    call(`POST /api/v1/manage/api-keys${path}`, { key: keys.admin, body, headers: { 'idempotency-key': 'k' } });
  const { id } = (await call('POST /api/v1/manage/api-keys', { key: keys.admin, body: { name: 'Till' } })).json;
  loseReply();
  const answer = made === 'a new key' ? await send('', { name: 'Desk' }) : await send(`/${id}/rotate`, {});
  // Another secret than the stored one would be 401.
  expect((await call('GET /api/v1/manage/members', { key: answer.json.secret })).status).toBe(403);
});

it('an invitation counts one time', async () => {
  const { keys } = await openWorkspace('access');
  const body = { name: 'Guest', email: 'guest-of-lost-replies@example.com' };
  const { id } = (await call('POST /api/v1/manage/members', { key: keys.admin, body })).json;
  const invite = async () => (await call(`POST /api/v1/manage/members/${id}/invite`, { key: keys.admin })).status;
  loseReply();
  expect([await invite(), await invite(), await invite(), await invite()]).toEqual([204, 204, 204, 429]);
});

it('a delivery is sent again one time', async () => {
  const webhook = await webhooks.makeWebhook();
  await webhooks.rename('Again');
  await sweepWebhooks();
  const [{ id } = {} as Document] = await webhooks.deliveriesOf(webhook);
  webhooks.receiver.reset();
  loseReply(sweepWebhooks);
  expect((await webhooks.manage(`POST webhooks/${webhook.id}/deliveries/${id}/retry`)).status).toBe(202);
  await sweepWebhooks();
  expect(webhooks.receiver.received).toHaveLength(1);
  expect((await webhooks.deliveriesOf(webhook))[0]?.['attempts']).toHaveLength(2);
});

/** All items of a workspace, but not when its keys were used. */
const stored = async (workspaceId: string) =>
  (await allItems()).filter(({ pk }) => pk.includes(workspaceId) && !pk.startsWith('USED#'));

const manage = '/api/v1/manage';
const connect = '/api/v1/connect/conversations';
const submit = 'POST /api/public/forms/booking';

/** A request with an Idempotency-Key, and what another one writes before it is repeated. */
const repeated: readonly (readonly [request: string, body: object, other: string, change: object])[] = [
  [
    `PATCH ${manage}/forms/form_1`,
    { title: { en: 'Mine' } },
    `PATCH ${manage}/forms/form_1`,
    { title: { en: 'Other' } },
  ],
  [
    `POST ${connect}/conv_1/messages`,
    { senderType: 'customer', text: 'Mine' },
    `PATCH ${connect}/conv_1`,
    { status: 'resolved' },
  ],
  [submit, {}, submit, {}],
  [`PUT ${manage}/agents/agent_9`, { name: 'Mine' }, `DELETE ${manage}/agents/agent_9`, {}],
  [`POST ${manage}/customers`, { name: 'Mine' }, `POST ${manage}/customers`, { name: 'Other' }],
  [
    `POST ${connect}`,
    { channelId: 'ch_1', customer: { externalId: 'e-9' } },
    `PATCH ${manage}/channels/ch_1`,
    { name: 'x' },
  ],
];

it.each(someOf(repeated, 3))('%s under a key is carried out once, although every reply is lost', async (...row) => {
  const [request, sent, other, change] = row;
  const { keys, workspaceId } = await openWorkspace('records', ({ members }) => {
    members[0].permissions = Permission.options;
  });
  const key = keys.member;
  const send = (to: string, body: object, headers = {}) =>
    to.startsWith('DELETE')
      ? call(to, { key })
      : call(to === submit ? `${to}?apiKey=${key}` : to, { key, body, headers });
  const mine = () => send(request, sent, { 'idempotency-key': 'k' });
  proxy.plan('TransactWriteItems', { kind: 'reset after' });
  expect((await mine()).status).toBe(503);
  proxy.heal();
  expect((await send(other, change)).status).toBeLessThan(300);
  const before = await stored(workspaceId);
  const [first, second] = [await mine(), await mine()];
  expect(first.status).toBeLessThan(300);
  expect([second.status, second.text]).toEqual([first.status, first.text]);
  expect(await stored(workspaceId)).toEqual(before);
});

/** Longer than the client waits for a reply, and than the rest of the request takes. */
const late = { kind: 'delay', milliseconds: 3_000 } as const;

it('a public image stays, although it is announced late again', async () => {
  const { editor } = (await openWorkspace('media')).keys;
  proxy.plan('any', late, 1, 'DUE#image');
  const { url } = (await upload(editor, [imagePart()])).json;
  await proxy.calm();
  await sweepFiles(new Date(Date.now() + 25 * 3_600_000).toISOString());
  expect((await fetchImage(url)).status).toBe(200);
});

it('events are replayed one time, although the replay is asked for late again', async () => {
  const webhook = await webhooks.makeWebhook();
  await webhooks.rename('Replayed');
  await sweepWebhooks();
  webhooks.receiver.reset();
  proxy.plan('any', late, 1, '"replay"');
  const since = new Date(Date.now() - 60_000).toISOString();
  const { json } = await webhooks.manage(`POST webhooks/${webhook.id}/replay`, { since });
  expect(json.events).toBeGreaterThanOrEqual(1);
  await sweepWebhooks();
  await proxy.calm();
  await sweepWebhooks();
  expect(webhooks.receiver.received).toHaveLength(json.events);
});
