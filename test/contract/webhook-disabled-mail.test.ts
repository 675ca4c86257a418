import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keys } from '#lib/table/keys.ts';
import { disableWebhook } from '#lib/webhooks/disable-webhook.ts';
import { call } from '#test/support/call.ts';
import { KillableTable } from '#test/support/killable-table.ts';
import { MailSink } from '#test/support/mail-sink.ts';
import { deliverJobs, pendingJobs } from '#test/support/mail-work.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

await openOwnTable();
const mail = await MailSink.start();
afterAll(() => mail.stop());
beforeEach(() => mail.heal());

const url = 'https://hooks.example.com/in?token=private';
const manage = 'webhooks:webhook:manage';

async function open() {
  const room = await openWorkspace('access', ({ members }) => {
    const own = { permissions: [manage] };
    members.push(
      { id: 'mem_ar', name: 'Nura', email: 'nura@example.com', language: 'ar', ...own },
      { id: 'mem_same', name: 'Nura again', email: null, ...own },
      { id: 'mem_off', name: 'Off', email: 'off@example.com', active: false, ...own },
      { id: 'mem_pending', name: 'Pending', email: 'pending@example.com', acceptedAt: null, ...own },
      { id: 'mem_reader', name: 'Reader', email: 'reader@example.com', permissions: ['webhooks:webhook:read'] },
    );
  });
  const send = (request: string, body?: object) =>
    call(request.replace(' ', ' /api/v1/manage/'), { key: room.keys.admin, ...(body && { body }) });
  const { json } = await send('POST webhooks', { url, types: ['member.*'], apiKeyId: 'key_admin' });
  const jobs = async () => (await pendingJobs()).filter(({ workspaceId }) => workspaceId === room.workspaceId);
  const notifications = async () => (await send('GET notifications')).json.data;
  return { ...room, send, jobs, notifications, id: String(json.id) };
}

describe('a webhook that the service disables', () => {
  it('is a notification, and a mail to each active member who manages webhooks, in the own language', async () => {
    const room = await open();
    await disableWebhook(testTable(), room, room.id, 'failing');
    expect(await room.notifications()).toMatchObject([{ type: 'webhook_disabled', webhookId: room.id, readAt: null }]);
    expect(await deliverJobs(await room.jobs())).toEqual([]);
    const mails = mail.mails.toSorted((a, b) => (String(a.to) < String(b.to) ? -1 : 1));
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [['boss@example.com'], 'Webhook switched off: hooks.example.com'],
      [['nura@example.com'], 'أُوقف خطاف الويب: hooks.example.com'],
    ]);
    const [english, arabic] = mails;
    expect(english?.text).toContain(
      `The workspace “${room.canary}” no longer sends its events to hooks.example.com/in.`,
    );
    expect(english?.text).toContain('All attempts of the last three days have failed.');
    expect(arabic?.html).toContain('<html lang="ar">');
    for (const { text, html } of mails) expect(text + html).not.toContain('private');
    expect(await room.jobs()).toEqual([]);
  });

  it('is one notification and one mail, whatever is killed and however often it is tried', async () => {
    for (const writes of [0, 1]) {
      const room = await open();
      await disableWebhook(new KillableTable(writes).table, room, room.id, 'gone').catch(() => undefined);
      await Promise.all([1, 2, 3].map(() => disableWebhook(testTable().uncached(), room, room.id, 'gone')));
      expect(await room.jobs()).toHaveLength(2);
      expect(await room.notifications()).toHaveLength(1);
      const events = await call('GET /api/v1/events?types=webhook.disabled', { key: room.keys.admin });
      expect(events.json.data).toHaveLength(1);
    }
  });

  it('is another one after it was enabled again', async () => {
    const room = await open();
    await disableWebhook(testTable().uncached(), room, room.id, 'gone');
    await room.send(`PATCH webhooks/${room.id}`, { enabled: true });
    await disableWebhook(testTable().uncached(), room, room.id, 'failing');
    expect(await room.jobs()).toHaveLength(4);
    expect(await room.notifications()).toHaveLength(2);
  });

  it('has no mail and no notification if somebody has switched it off, or removed it', async () => {
    const room = await open();
    await room.send(`PATCH webhooks/${room.id}`, { enabled: false });
    await disableWebhook(testTable().uncached(), room, room.id, 'gone');
    await disableWebhook(testTable().uncached(), room, 'wh_gone', 'gone');
    expect([await room.jobs(), await room.notifications()]).toEqual([[], []]);
  });

  it('is kept as a notification, whatever the time of responses and conversations', async () => {
    const room = await open();
    await disableWebhook(testTable().uncached(), room, room.id, 'gone');
    const [{ id }] = await room.notifications();
    const key = keys.record(room.workspaceId, 'notification', id);
    const old = {
      id,
      type: 'webhook_disabled',
      webhookId: room.id,
      readAt: null,
      createdAt: '2026-01-01T00:00:00.000Z',
    };
    await testTable().put({ ...key, record: JSON.stringify(old) });
    process.env['RESPONSE_DAYS'] = '1';
    expect((await room.send(`GET notifications/${id}`)).status).toBe(200);
    delete process.env['RESPONSE_DAYS'];
  });
});
