import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { exportedFromScan } from '#test/support/document-text.ts';
import { openRoom, type Room, runAll, traces } from '#test/support/erased-person.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { conversations } from '#test/support/presets/chat.ts';
import { type Document, importFile } from '#test/support/world.ts';

await openOwnTable();

const erase = (room: Room, query = 'erase=true', ...rest: [undefined?, string?, object?]) =>
  room.manage(`DELETE customers/cus_z?${query}`, ...rest);
const idsOf = (records: readonly { readonly id: string }[]): string[] => records.map(({ id }) => id).sort();

describe('DELETE /manage/customers/{id}?erase=true', () => {
  it('answers 202, and from then on the person is in no answer', async () => {
    const room = await openRoom();
    const { conversationId, token, said, file } = await room.visit('crm-zubaydah');
    expect(said.status).toBe(201);
    const once = { 'idempotency-key': 'patch-1' };
    const named = () => room.manage('PATCH customers/cus_z', { name: 'Zubaydah Two' }, room.admin, once);
    expect((await named()).status).toBe(200);
    const { status, json } = await erase(room);
    expect([status, json]).toEqual([202, { status: 'erasing' }]);
    const ids = ['conv_z', 'conv_z_sub', conversationId];
    expect((await room.manage('GET customers/cus_z')).status).toBe(404);
    expect((await named()).status).toBe(404);
    expect((await erase(room)).status).toBe(404);
    for (const id of ids) {
      const calls = [
        room.send('GET', `/${id}`),
        room.send('GET', `/${id}/messages`),
        room.send('POST', `/${id}/messages`, { text: 'Still there?', senderType: 'member' }),
        room.send('PATCH', `/${id}`, { status: 'resolved' }),
      ];
      expect((await Promise.all(calls)).map((answer) => answer.status)).toEqual([404, 404, 404, 404]);
    }
    const withToken = [
      call(`GET ${conversations}/${conversationId}/messages`, { key: token }),
      call(`GET /api/v1/connect/assets/${file.s3Key}`, { key: token }),
      call('POST /api/v1/connect/attachments/announce', { key: token, body: { files: [{ name: 'a', size: 1 }] } }),
    ];
    expect((await Promise.all(withToken)).map((answer) => answer.status)).toEqual([401, 401, 401]);
    expect((await room.session({ renew: token })).status).toBe(404);
    expect(idsOf((await room.send('GET', '')).json.data)).not.toEqual(
      expect.arrayContaining([expect.stringMatching('_z')]),
    );
    expect(idsOf((await room.manage('GET notifications')).json.data)).toEqual(['not_y']);
    const document = await exportedFromScan(room.workspaceId);
    expect(idsOf(document.messaging.messages).filter((id) => id.startsWith('msg_z'))).toEqual([]);
    expect(JSON.stringify(document.messaging)).not.toContain('zubaydah ');
  });

  it('removes everything of the person in the next runs, and nothing of others', async () => {
    const room = await openRoom();
    const bystander = await openRoom();
    await room.visit('crm-zubaydah');
    await room.visit('crm-y');
    await room.manage('PATCH customers/cus_z', { phone: '+966 55 000' }, room.admin, { 'idempotency-key': 'patch-1' });
    await bystander.visit('crm-zubaydah');
    const before = await exportedFromScan(bystander.workspaceId);
    const kept = (await traces(bystander)).length;
    expect((await erase(room, 'erase=true&responses=true')).status).toBe(202);
    await runAll();
    expect(await traces(room)).toEqual([]);
    expect(await exportedFromScan(bystander.workspaceId)).toEqual({ ...before, exportedAt: expect.any(String) });
    expect((await traces(bystander)).length).toBe(kept);
    const document = await exportedFromScan(room.workspaceId);
    expect(idsOf(document.messaging.conversations)).toEqual(expect.arrayContaining(['conv_1', 'conv_y', 'conv_y_sub']));
    expect(idsOf(document.formResponses)).toEqual(['res_y']);
    expect(idsOf(document.notifications)).toEqual(['not_y']);
    const files = idsOf(document.attachments);
    expect(files).toEqual(expect.arrayContaining(['att_2', 'zubaydah-shared']));
    expect(files).not.toContain('att_1');
    expect(files).toHaveLength(3);
  });

  it('keeps responses with the same address unless the query says otherwise', async () => {
    const room = await openRoom();
    expect((await erase(room)).status).toBe(202);
    await runAll();
    expect(idsOf((await exportedFromScan(room.workspaceId)).formResponses)).toEqual(['res_text', 'res_y', 'res_z']);
  });

  it('leaves a customer alone that was made again, by PUT or by the import of a copy', async () => {
    const [room, other] = [await openRoom(), await openRoom()];
    expect((await erase(room)).status).toBe(202);
    expect((await room.manage('PUT customers/cus_z', { name: 'Zoe' })).status).toBe(201);
    const opened = await room.send('POST', '', { channelId: 'ch_1', customerId: 'cus_z' });
    const said = await room.say(opened.json.id, { senderType: 'customer', text: 'New here.' });
    expect([opened.status, said.status]).toEqual([201, 201]);
    const { messaging, ...copy } = await exportedFromScan(other.workspaceId);
    expect((await erase(other)).status).toBe(202);
    await importFile({ ...copy, messaging } as Document);
    await runAll();
    expect((await room.send('GET', `/${opened.json.id}/messages`)).json.data).toMatchObject([{ id: said.json.id }]);
    const after = (await exportedFromScan(other.workspaceId)).messaging;
    expect(idsOf(after.messages)).toEqual(idsOf(messaging.messages));
    expect(idsOf(after.conversations)).toEqual(idsOf(messaging.conversations));
  });

  it('is one audit event without values, and an event for the customer and each conversation', async () => {
    const room = await openRoom();
    await erase(room, 'erase=true&responses=true');
    await runAll();
    const { json: audit } = await room.manage('GET audit-events?recordKind=customers&recordId=cus_z');
    expect(audit.data).toMatchObject([{ action: 'delete', changed: [], actor: { id: 'key_admin' } }]);
    const { requestId } = audit.data[0];
    const { json: feed } = await call('GET /api/v1/events', { key: room.admin });
    const seen = feed.data.map(({ type, recordId }: Record<string, string>) => `${type} ${recordId}`).sort();
    expect(seen.filter((type: string) => !type.startsWith('workspace.'))).toEqual([
      'conversation.deleted conv_z',
      'conversation.deleted conv_z_sub',
      'customer.deleted cus_z',
      'form_response.deleted res_text',
      'form_response.deleted res_z',
    ]);
    for (const event of feed.data.slice(1)) expect(event).toMatchObject({ requestId, actor: { id: 'key_admin' } });
  });
});

describe('a refused erasing changes nothing', () => {
  it.each([
    ['without erase', '', 409, 'in_use'],
    ['another value', 'erase=false', 400, 'invalid_query'],
    ['an empty value', 'erase=', 409, 'in_use'],
    ['a value in other letters', 'erase=TRUE', 400, 'invalid_query'],
    ['responses alone', 'responses=true', 400, 'invalid_query'],
    ['another value of responses', 'erase=true&responses=1', 400, 'invalid_query'],
  ])('%s', async (_, query, status, code) => {
    const room = await openRoom();
    const answer = await erase(room, query);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect((await room.manage('GET customers/cus_z')).status).toBe(200);
  });

  it('another version, a missing permission, another customer, another kind', async () => {
    const room = await openRoom();
    const answers = [
      await erase(room, 'erase=true', undefined, room.admin, { 'if-match': '"old"' }),
      await erase(room, 'erase=true', undefined, room.keys.desk),
      await erase(room, 'erase=true&responses=true', undefined, room.manager),
      await room.manage('DELETE customers/cus_nobody?erase=true'),
      await room.manage('DELETE customers/a%23b?erase=true'),
      await room.manage('DELETE channels/ch_1?erase=true'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([412, 403, 403, 404, 404, 409]);
    expect(answers[5]?.headers['x-ignored-parameters']).toBe('erase');
    expect((await room.manage('GET customers/cus_z')).status).toBe(200);
    expect((await room.send('GET', '/conv_z')).status).toBe(200);
    const { etag } = (await room.manage('GET customers/cus_z')).headers;
    const mine = { 'if-match': String(etag) };
    expect((await erase(room, 'erase=true', undefined, room.manager, mine)).status).toBe(202);
  });
});
