import { expect, it } from '@jest/globals';
import type { Permission } from '#lib/domain/access/permission.ts';
import { type Answer, call } from '#test/support/call.ts';
import { png } from '#test/support/image-files.ts';
import { imagePart, upload } from '#test/support/media.ts';
import { signIn } from '#test/support/signed-in.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const field = (key: string, more: object = {}) => ({ key, name: { en: key }, type: 'text', ...more });
const entry = (id: string, modelId: string, values: object, published = true) => ({ id, modelId, values, published });

const kitchen = await openWorkspace('records', (document) => {
  document.cms = {
    models: [
      { id: 'mixed', name: { en: 'Mixed' }, fields: [field('open'), field('closed', { hidden: true })] },
      { id: 'drafts', name: { en: 'Drafts' }, fields: [field('open')] },
    ],
    entries: [
      entry('shown', 'mixed', { open: 'a', closed: 'b' }),
      entry('draft', 'mixed', { open: 'a', closed: 'b' }, false),
      entry('first', 'drafts', { open: 'a' }, false),
      entry('second', 'drafts', { open: 'a' }, false),
    ],
  };
  document.members.push({
    id: 'mem_desk',
    name: 'Desk',
    email: 'desk@in-use.example',
    permissions: ['messaging:channel:read', 'messaging:channel:manage', 'messaging:conversation:read'],
  });
});
const { manage, keyWith } = kitchen;

/** The 409 to a caller with these permissions: the named records, and whether the text says that others are not. */
async function refused(request: string, permissions: readonly Permission[], body?: object) {
  const { status, json } = await manage(request, body, { key: await keyWith(permissions) });
  return refusalIn(status, json);
}

function refusalIn(status: number, json: Answer['json']) {
  expect([status, json.code]).toEqual([409, 'in_use']);
  const named = json.errors.map(({ path }: { path: string }) => path).sort();
  return { named, hidesSome: json.message.includes('cannot see') };
}

const models: readonly Permission[] = ['cms:model:read', 'cms:model:manage'];

it('the removal of a database names drafts only to callers who may see them', async () => {
  const of = (...more: Permission[]) => refused('DELETE cms-models/mixed', [...models, ...more]);
  const shown = 'cms-entries/mixed/shown';
  expect(await of('cms:entry:read', 'cms:entry:read-unpublished')).toEqual({
    named: ['cms-entries/mixed/draft', shown],
    hidesSome: false,
  });
  expect(await of('cms:entry:read')).toEqual({ named: [shown], hidesSome: true });
  expect(await of('cms:entry:update', 'cms:entry:read-unpublished')).toEqual({ named: [], hidesSome: true });
});

it('the removal of a database with drafts alone says that there are records, and names none', async () => {
  expect(await refused('DELETE cms-models/drafts', [...models, 'cms:entry:read'])).toEqual({
    named: [],
    hidesSome: true,
  });
  const key = await keyWith([...models, 'cms:entry:read']);
  const changes = [{ method: 'DELETE', kind: 'cms-models', id: 'drafts' }];
  const { json } = await manage('POST changes', { changes }, { key });
  const [{ status, error }] = json.results;
  expect(refusalIn(status, { errors: [], ...error })).toEqual({ named: [], hidesSome: true });
});

it('the change of a field with values names entries as far as the caller may see them', async () => {
  const of = (key: string, ...more: Permission[]) => {
    const fields = [field('open'), field('closed', { hidden: true })].map((own) =>
      own.key === key ? { ...own, type: 'number' } : own,
    );
    return refused('PATCH cms-models/mixed', [...models, 'cms:entry:read-hidden', ...more], { fields });
  };
  expect(await of('open', 'cms:entry:read')).toEqual({ named: ['cms-entries/mixed/shown'], hidesSome: true });
  expect(await of('closed', 'cms:entry:read', 'cms:entry:read-unpublished')).toEqual({
    named: ['cms-entries/mixed/draft', 'cms-entries/mixed/shown'],
    hidesSome: false,
  });
  expect(await of('open')).toEqual({ named: [], hidesSome: true });
});

it('the removal of a category names products only to callers who may get them', async () => {
  const of = (...more: Permission[]) => refused('DELETE menu-categories/cat_1', ['menu:category:manage', ...more]);
  const products = ['menu-products/prod_1', 'menu-products/prod_2', 'menu-products/prod_3'];
  expect(await of('menu:product:manage')).toEqual({ named: products, hidesSome: false });
  expect(await of('menu:product:availability')).toEqual({ named: products, hidesSome: false });
  expect(await of('menu:product:read')).toEqual({ named: [], hidesSome: true });
});

it('the removal of a form, a channel or a customer names only records that the caller may read', async () => {
  const cases: readonly [string, readonly Permission[], Permission, string][] = [
    ['forms/form_1', ['forms:form:manage'], 'forms:response:read', 'form-responses/resp_1'],
    ['channels/ch_1', ['messaging:channel:manage'], 'messaging:conversation:read', 'conversations/conv_1'],
    ['customers/cus_1', ['messaging:customer:manage'], 'messaging:conversation:read', 'conversations/conv_1'],
  ];
  for (const [path, permissions, reads, referrer] of cases) {
    const request = `DELETE ${path}`;
    expect([path, await refused(request, [...permissions, reads])]).toEqual([
      path,
      { named: [referrer], hidesSome: false },
    ]);
    expect([path, await refused(request, permissions)]).toEqual([path, { named: [], hidesSome: true }]);
  }
});

it('a refusal names records to a session by the permissions of its member', async () => {
  const desk = await signIn({ workspaceId: kitchen.workspaceId, address: 'desk@in-use.example' });
  const { status, json } = await desk.call('DELETE /api/v1/manage/channels/ch_1');
  expect(refusalIn(status, json)).toEqual({ named: ['conversations/conv_1'], hidesSome: false });
});

it('the removal of an image names records only where the caller sees the reference', async () => {
  const { json: image } = await upload(kitchen.secretOf('all'), [imagePart(png())]);
  const fields = [
    { key: 'open', name: { en: 'Open' }, type: 'media' },
    { key: 'closed', name: { en: 'Closed' }, type: 'media', hidden: true },
  ];
  await manage('PUT cms-models/pictures', { name: { en: 'Pictures' }, fields });
  const put = (id: string, values: object, published = true) =>
    manage(`PUT cms-entries/pictures/${id}`, { values, published });
  await put('open', { open: image });
  await put('closed', { closed: image });
  await put('draft', { open: image }, false);
  await manage('PATCH menu-products/prod_1', { images: [image] });
  await manage('PATCH forms/form_2', { title: { en: image.url } });
  const of = async (...permissions: Permission[]) => {
    const key = await keyWith(permissions);
    const { status, json } = await call(`DELETE /api/v1/manage/media/${image.id}`, { key });
    return refusalIn(status, json);
  };
  expect(await of('menu:product:manage')).toEqual({ named: ['menu-products/prod_1'], hidesSome: true });
  expect(await of('cms:entry:update', 'cms:entry:read')).toEqual({
    named: ['cms-entries/pictures/open'],
    hidesSome: true,
  });
  expect(await of('cms:entry:update', 'cms:entry:read', 'cms:entry:read-hidden')).toEqual({
    named: ['cms-entries/pictures/closed', 'cms-entries/pictures/open'],
    hidesSome: true,
  });
  const all = await of(
    'cms:entry:update',
    'cms:entry:read',
    'cms:entry:read-hidden',
    'cms:entry:read-unpublished',
    'menu:product:manage',
    'forms:form:manage',
  );
  expect([all.named.length, all.hidesSome]).toEqual([5, false]);
  // The values of a removed field are in no answer.
  await manage('PATCH cms-models/pictures', { fields: fields.slice(1) });
  expect((await of('cms:entry:update', 'cms:entry:read', 'cms:entry:read-unpublished')).named).toEqual([]);
});
