import { describe, expect, it } from '@jest/globals';
import { listEvents } from '#lib/access/audit-log.ts';
import { objectSize } from '#lib/files/read-file.ts';
import { call } from '#test/support/call.ts';
import { exported } from '#test/support/document-text.ts';
import { formBody } from '#test/support/multipart.ts';
import { sweepFiles } from '#test/support/stored-files.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load, testTable } from '#test/support/world.ts';

const at = (hour: number) => `2026-01-10T0${hour}:00:00.000Z`;
const s3Key = (workspaceId: string, id: string) => `workspaces/${workspaceId}/drive/messaging/2026-01/${id}/menu.pdf`;

const kitchen = await openWorkspace('records', (document) => {
  const field = (ref: string, type: string) => ({ id: `ff_${ref}`, ref, title: { en: ref }, type, order: 1 });
  document.forms[0].fields = [field('note', 'TEXT'), field('photos', 'FILE')];
  document.members.push({ id: 'mem_desk', name: 'Desk', permissions: ['messaging:conversation:engage'] });
  document.apiKeys.push({
    id: 'key_desk',
    name: 'Desk',
    memberId: 'mem_desk',
    permissions: ['messaging:conversation:engage'],
    secret: `desk-key-of-${document.workspace.id}`,
  });
  document.attachments = [1, 2].map((number) => ({
    id: `att_${number}`,
    name: `قائمة ${number}.pdf`,
    type: 'application/pdf',
    size: 5,
    createdAt: at(number),
    s3Key: s3Key(document.workspace.id, `att_${number}`),
  }));
  document.formResponses = [
    { id: 'a', formId: 'form_1', answers: { note: 'Crème', photos: ['att_1', 'att_gone'] }, createdAt: at(3) },
    { id: 'b', formId: 'form_2', answers: { note: 'none' }, createdAt: at(1) },
    { id: 'c', formId: 'form_1', answers: {}, createdAt: at(2) },
    { id: 'd', formId: 'form_1', answers: {}, createdAt: at(2) },
  ];
  document.notifications = ['a', 'b'].map((id, index) => ({
    id: `not_${id}`,
    type: 'form_response',
    formId: 'form_1',
    formResponseId: id,
    createdAt: at(4 + index),
    readAt: id === 'a' ? at(9) : null,
  }));
});
const other = await openWorkspace('records');
const { workspaceId, manage, secretOf } = kitchen;
const desk = `desk-key-of-${workspaceId}`;
const base = process.env['ASSET_BASE_URL'] ?? '';

const old = { headers: { 'if-match': '"old"' } };

const idsOf = async (request: string) => {
  const { status, json } = await manage(`GET ${request}`);
  if (status !== 200) throw new Error(JSON.stringify(json));
  return json.data.map(({ id }: { id: string }) => id).join();
};

describe('form-responses', () => {
  it.each([
    ['', 'a,d,c,b'],
    ['formId=form_1', 'a,d,c'],
    ['formId=nothing', ''],
    [`since=${at(2)}`, 'a,d,c'],
    ['since=2026-01-10T05:00:00%2B03:00', 'a,d,c'],
    [`until=${at(2)}`, 'b'],
    [`since=${at(2)}&until=${at(3)}`, 'd,c'],
    ['q=creme', 'a'],
    ['q=creme%20form_2', ''],
    ['limit=2', 'a,d'],
  ])('are listed newest first: %s', async (query, ids) => {
    expect(await idsOf(`form-responses?${query}`)).toBe(ids);
  });

  it('are walked by cursor, which is valid for the same query only', async () => {
    const { json } = await manage('GET form-responses?limit=3&formId=form_1');
    expect(json.next).toBeNull();
    const first = (await manage('GET form-responses?limit=3')).json;
    expect(await idsOf(`form-responses?cursor=${first.next}`)).toBe('b');
    const foreign = await manage(`GET form-responses?formId=form_1&cursor=${first.next}`);
    expect([foreign.status, foreign.json.errors[0].path]).toEqual([400, 'cursor']);
    expect((await manage('GET form-responses?since=yesterday')).json.errors[0]).toMatchObject({ path: 'since' });
  });

  it('show the files of their answers beside the ids, and only the id of an absent file', async () => {
    const { json, headers } = await manage('GET form-responses/a');
    const [present, gone] = json.files.photos;
    expect(json.answers).toEqual({ note: 'Crème', photos: ['att_1', 'att_gone'] });
    expect(present).toEqual({
      id: 'att_1',
      name: 'قائمة 1.pdf',
      type: 'application/pdf',
      url: `${base}/api/v1/connect/assets/${s3Key(workspaceId, 'att_1')}`,
    });
    expect(gone).toEqual({ id: 'att_gone', name: null, type: null, url: null });
    expect(headers['etag']).toMatch(/^".+"$/);
    expect((await manage('GET form-responses?limit=1')).json.data[0]).toEqual(json);
    expect((await manage('GET form-responses/b')).json.files).toEqual({});
  });

  it('are deleted with a separate permission, and their notifications stay', async () => {
    const remove = (name: string) => call('DELETE /api/v1/manage/form-responses/b', { key: secretOf(name) });
    expect((await remove('forms:response:read')).status).toBe(403);
    expect((await other.manage('DELETE form-responses/b')).status).toBe(404);
    expect((await manage('DELETE form-responses/b', undefined, old)).status).toBe(412);
    expect((await remove('forms:response:delete')).status).toBe(204);
    expect((await manage('GET form-responses/b')).json).toEqual({
      message: 'Form response not found.',
      code: 'not_found',
    });
    expect((await manage('GET notifications/not_b')).json).toMatchObject({ formResponseId: 'b' });
    const { data: events } = await listEvents(testTable(), kitchen, { recordKind: 'form-responses', limit: 5 });
    expect(events).toMatchObject([{ action: 'delete', recordId: 'b', changed: [] }]);
    // An export of a notification whose response is deleted can be imported.
    expect((await load(await exported(workspaceId))).changed).toBe(0);
  });

  it('cannot be created or changed', async () => {
    for (const [request, allow] of [
      ['POST form-responses', 'GET, HEAD'],
      ['PUT form-responses/a', 'DELETE, GET, HEAD'],
      ['PATCH form-responses/a', 'DELETE, GET, HEAD'],
    ] as const) {
      const { status, headers } = await manage(request, {});
      expect([request, status, headers['allow']]).toEqual([request, 405, allow]);
    }
  });
});

describe('notifications', () => {
  it('are listed newest first, filtered by unread', async () => {
    expect(await idsOf('notifications')).toBe('not_b,not_a');
    expect(await idsOf('notifications?unread=true')).toBe('not_b');
    expect(await idsOf('notifications?unread=false')).toBe('not_a');
    expect(await idsOf('notifications?q=not_a')).toBe('not_a');
  });

  it('are marked as read and as unread, even when their subject is deleted', async () => {
    const patch = (body: object) => manage('PATCH notifications/not_b', body);
    expect((await patch({ readAt: '2026-02-01T12:00:00+03:00' })).json).toMatchObject({
      id: 'not_b',
      readAt: '2026-02-01T09:00:00.000Z',
      createdAt: at(5),
    });
    expect(await idsOf('notifications?unread=true')).toBe('');
    expect((await patch({ readAt: null })).json.readAt).toBeNull();
  });

  it('check If-Match, and carry out a repeated Idempotency-Key one time', async () => {
    const patch = (readAt: string | null, headers: Record<string, string>) =>
      manage('PATCH notifications/not_b', { readAt }, { headers });
    expect((await patch(at(9), old.headers)).json.code).toBe('precondition_failed');
    const first = await patch(at(9), { 'idempotency-key': 'read' });
    await patch(null, {});
    expect((await patch(at(9), { 'idempotency-key': 'read' })).text).toBe(first.text);
    expect((await patch(at(8), { 'idempotency-key': 'read' })).json.code).toBe('idempotency_key_reused');
    expect((await manage('GET notifications/not_b')).json.readAt).toBeNull();
  });

  it('change in no other member', async () => {
    const { status, json } = await manage('PATCH notifications/not_a', { readAt: null, formId: 'form_2' });
    expect([status, json.code, json.errors]).toMatchObject([
      400,
      'validation_failed',
      [{ path: 'formId', code: 'not_allowed' }],
    ]);
    expect((await manage('PATCH notifications/not_a', { more: 1 })).json.errors[0].code).toBe('unknown_field');
    expect((await manage('GET notifications/not_a')).json).toMatchObject({ readAt: at(9), formId: 'form_1' });
    expect((await manage('DELETE notifications/not_a')).status).toBe(405);
  });

  it('require the permissions to read and to change them', async () => {
    const patch = (name: string) =>
      call('PATCH /api/v1/manage/notifications/not_a', { key: secretOf(name), body: { readAt: null } });
    expect((await patch('notifications:notification:read')).status).toBe(403);
    expect((await patch('notifications:notification:update')).status).toBe(403);
    expect((await other.manage('PATCH notifications/not_a', { readAt: null })).status).toBe(404);
  });
});

describe('attachments', () => {
  it('are listed newest first and read with the permission alone, without a member', async () => {
    expect(await idsOf('attachments')).toBe('att_2,att_1');
    expect(await idsOf('attachments?q=1.pdf')).toBe('att_1');
    const key = secretOf('messaging:conversation:read');
    const { status, json } = await call('GET /api/v1/manage/attachments/att_1', { key });
    expect([status, json.name, json.s3Key]).toEqual([200, 'قائمة 1.pdf', s3Key(workspaceId, 'att_1')]);
    expect((await call('DELETE /api/v1/manage/attachments/att_1', { key })).status).toBe(403);
  });

  it('are deleted with their objects, immediately for every reader', async () => {
    const { headers, body } = formBody([{ filename: 'a.txt', type: 'text/plain', bytes: 'Hello' }]);
    const sent = await call('POST /api/v1/connect/attachments', { key: desk, headers, body });
    const [file] = sent.json.files;
    expect((await other.manage(`DELETE attachments/${file.id}`)).status).toBe(404);
    expect((await manage(`DELETE attachments/${file.id}`, undefined, old)).status).toBe(412);
    expect((await manage(`DELETE attachments/${file.id}`)).status).toBe(204);
    expect((await call(`GET /api/v1/connect/assets/${file.s3Key}`, { key: desk })).status).toBe(404);
    expect((await manage(`GET attachments/${file.id}`)).status).toBe(404);
    expect((await manage(`DELETE attachments/${file.id}`)).status).toBe(404);
    expect(await objectSize(file.s3Key)).toBe(5);
    const later = new Date(Date.now() + 31 * 60_000).toISOString();
    await sweepFiles(later);
    expect(await objectSize(file.s3Key)).toBeUndefined();
    expect((await exported(workspaceId)).attachments.map(({ id }: { id: string }) => id)).not.toContain(file.id);
  });

  it('are deleted even if their ids contain no time, and answers keep their ids', async () => {
    expect((await manage('DELETE attachments/att_1')).status).toBe(204);
    await sweepFiles(new Date(Date.now() + 60_000).toISOString());
    expect((await manage('GET form-responses/a')).json.files.photos[0]).toEqual({
      id: 'att_1',
      name: null,
      type: null,
      url: null,
    });
  });
});
