import { expect, it } from '@jest/globals';
import { Permission } from '#lib/domain/access/permission.ts';
import { call } from '#test/support/call.ts';
import { png } from '#test/support/image-files.ts';
import { formBody } from '#test/support/multipart.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const seen = Permission.options.filter((permission) => permission !== 'cms:entry:read-hidden');
const kitchen = await openWorkspace('records', (document) => {
  const { id } = document.workspace;
  const add = (name: string, permissions: readonly Permission[]) => {
    document.members.push({ id: `mem_${name}`, name, permissions });
    const key = { id: `key_${name}`, name, secret: `${name}-${id}`, memberId: `mem_${name}` };
    document.apiKeys.push({ ...key, permissions: Permission.options });
  };
  add('seer', Permission.options);
  add('seen', seen);
  for (const use of ['upload', 'announce', 'image', 'announceImage']) add(use, Permission.options);
  const field = (key: string, hidden: boolean) => ({ key, name: { en: key }, type: 'text', hidden });
  document.cms = {
    models: [{ id: 'notes', name: { en: 'Notes' }, fields: [field('title', false), field('secret', true)] }],
    entries: [{ id: 'note_1', modelId: 'notes', values: { title: 'A', secret: 'nobody else' } }],
  };
  const bell = { id: 'who', ref: 'who', type: 'TEXT', title: { en: 'Who' }, validations: {}, order: 0 };
  document.forms.push({ id: 'form_bell', slug: 'bell', title: { en: 'Bell' }, enabled: true, fields: [bell] });
});
const keyOf = (name: string) => `${name}-${kitchen.workspaceId}`;

it.each([
  ['POST cms-entries', { modelId: 'notes', id: 'note_2', values: { title: 'B', secret: 'nobody else' } }],
  ['PUT cms-entries/notes/note_1', { values: { title: 'D', secret: 'nobody else' } }],
  ['PATCH cms-entries/notes/note_1', { values: { title: 'C' } }],
])('a repeated %s shows no field that is hidden from the member of its key', async (request, body) => {
  const headers = { 'idempotency-key': `views of ${request}` };
  const first = await kitchen.manage(request, body, { headers });
  expect(first.json.values.secret).toBe('nobody else');
  const [method, path] = request.split(' ');
  const again = await call(`${method} /api/v1/manage/${path}`, { key: keyOf('seen'), headers, body });
  expect([again.status, again.json.values.title]).toEqual([first.status, body.values.title]);
  expect(again.text).not.toContain('nobody else');
});

it('a repeated submit, conversation or message has nothing to hide: a caller with fewer permissions gets the first response', async () => {
  const headers = { 'idempotency-key': 'the same for all' };
  const twice = async (request: string, body: object) => {
    const send = (name: string) =>
      request.includes('/forms/')
        ? call(`${request}?apiKey=${keyOf(name)}`, { headers, body })
        : call(request, { key: keyOf(name), headers, body });
    const first = await send('seer');
    const again = await send('seen');
    expect([request, again.status, again.text]).toEqual([request, first.status, first.text]);
    expect(first.status).toBeLessThan(300);
    expect(again.headers['x-form-response-id']).toBe(first.headers['x-form-response-id']);
    return first;
  };
  await twice('POST /api/public/forms/bell', { who: 'Noor' });
  const opened = await twice('POST /api/v1/connect/conversations', {
    channelIdentifier: 'bell.example.com',
    customer: { externalId: 'bell' },
  });
  const talk = `POST /api/v1/connect/conversations/${opened.json.id}/messages`;
  await twice(talk, { text: 'Is it open?', senderType: 'customer' });
});

const note = formBody([{ filename: 'note.txt', bytes: 'hello' }]);
const image = formBody([{ filename: 'a.png', type: 'image/png', bytes: png() }]);

const announcement = (name: string) => ({ headers: {}, body: { files: [{ name, type: 'image/png', size: 5 }] } });

it.each<[string, string, { headers: object; body: object }]>([
  ['upload', 'POST /api/v1/connect/attachments', note],
  ['announce', 'POST /api/v1/connect/attachments/announce', announcement('a.bin')],
  ['image', 'POST /api/v1/manage/media', image],
  ['announceImage', 'POST /api/v1/manage/media/announce', announcement('a.png')],
])('%s stores nothing again for a caller whose member has other permissions by then', async (name, request, sent) => {
  const send = () => call(request, { key: keyOf(name), ...sent, headers: { ...sent.headers, 'idempotency-key': 'k' } });
  const first = await send();
  expect(first.status).toBeLessThan(300);
  const change = await kitchen.manage(`PATCH members/mem_${name}`, { permissions: seen });
  expect(change.status).toBe(200);
  const again = await send();
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect((await kitchen.manage(`PATCH members/mem_${name}`, { permissions: [] })).status).toBe(200);
  expect((await send()).status).toBe(403);
});
