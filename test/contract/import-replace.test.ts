import { beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { exportedFromScan } from '#test/support/document-text.ts';
import { everyKind, newWorkspaceId, siteSecret, withDraftsShown } from '#test/support/every-kind.ts';
import { allItems, comparable, openOwnTable, restoreItems } from '#test/support/own-table.ts';
import { type Document, load, storeWorkspace } from '#test/support/world.ts';

beforeAll(openOwnTable);

const idsOf = (records: readonly Document[]) => records.map(({ id }) => id);

/** A stored workspace with records of every kind. */
async function stored() {
  const document = withDraftsShown(everyKind());
  await storeWorkspace(document);
  return { document, workspaceId: document.workspace.id, key: siteSecret(document.workspace.id) };
}

const listed = async (key: string, modelId = 'dishes') =>
  idsOf((await call(`GET /api/public/cms/${modelId}/list?limit=100&fields=id`, { key })).json);

describe('an import', () => {
  it('adds and replaces by id, and leaves other records unchanged', async () => {
    const { document, workspaceId } = await stored();
    const before = await exportedFromScan(workspaceId);
    const { version, workspace, members, cms, menu, forms } = document;
    const title = { en: 'New' };
    const { changed } = await load({
      version,
      workspace,
      members: [{ ...members[0], name: 'Lina A.' }],
      cms: { entries: [{ id: 'dish_9', modelId: 'dishes', createdAt: '2026-03-01T00:00:00.000Z', values: { title } }] },
      menu: { products: [{ ...menu.products[2], name: title }] },
      forms: [{ ...forms[0], enabled: false }],
      messaging: { customers: [{ id: 'cus_2' }] },
    });
    expect(changed).toBe(5);
    const after = await exportedFromScan(workspaceId);
    expect(idsOf(after.cms.entries)).toEqual([...idsOf(cms.entries), 'dish_9']);
    expect(after.members).toEqual([{ ...before.members[0], name: 'Lina A.' }, before.members[1]]);
    expect(after.menu.products).toEqual([
      ...before.menu.products.slice(0, 2),
      { ...before.menu.products[2], name: title },
    ]);
    expect(after.forms).toEqual([{ ...before.forms[0], enabled: false }, before.forms[1]]);
    expect(idsOf(after.messaging.customers)).toEqual(['cus_1', 'cus_2']);
    for (const kind of ['apiKeys', 'formResponses', 'notifications', 'attachments'])
      expect(after[kind]).toEqual(before[kind]);
    expect(after.messaging.messages).toEqual(before.messaging.messages);
    expect(after.cms.models).toEqual(before.cms.models);
  });

  it('an import of a workspace without records changes the workspace only', async () => {
    const { document, workspaceId } = await stored();
    const { version, workspace } = document;
    const before = await exportedFromScan(workspaceId);
    expect((await load({ version, workspace: { ...workspace, name: 'New' } }, { prune: true })).changed).toBe(1);
    const after = await exportedFromScan(workspaceId);
    const { exportedAt } = after;
    expect(after).toEqual({ ...before, exportedAt, workspace: { ...before.workspace, name: 'New' } });
  });

  it('swaps the keys of two files that one message shows', async () => {
    const document = everyKind();
    const { version, workspace, messaging, attachments } = document;
    const s3KeyOf = (name: string) => `workspaces/${workspace.id}/drive/messaging/${name}`;
    const files = ['a', 'b'].map((name) => ({ ...attachments[0], id: `att_${name}`, s3Key: s3KeyOf(name) }));
    document.attachments.push(...files);
    messaging.messages[0].attachments = ['att_a', 'att_b'];
    await storeWorkspace(document);
    const swapped = files.map((file, index) => ({ ...file, s3Key: files[1 - index]?.s3Key }));
    expect((await load({ version, workspace, attachments: swapped })).changed).toBe(2);
    const after = await exportedFromScan(workspace.id);
    expect(after.attachments).toMatchObject([{ id: 'att_1' }, { s3Key: s3KeyOf('b') }, { s3Key: s3KeyOf('a') }]);
  });

  it('swaps the slugs of two records', async () => {
    const { document, workspaceId } = await stored();
    const { version, workspace, menu, forms } = document;
    const swapped = ([first, second]: Document[]) => [
      { ...first, slug: second.slug },
      { ...second, slug: first.slug },
    ];
    const change = { products: swapped(menu.products), categories: swapped(menu.categories) };
    expect((await load({ version, workspace, menu: change, forms: swapped(forms) })).changed).toBe(6);
    const after = await exportedFromScan(workspaceId);
    const slugs = [after.menu.products, after.menu.categories, after.forms].map((records) =>
      records.map(({ slug }: Document) => slug),
    );
    expect(slugs).toEqual([
      ['product-2', 'product-1', 'product-3'],
      ['أطباق', 'mains'],
      ['form-2', 'form-1'],
    ]);
    // All new slugs are taken, and the old ones are free.
    expect((await load({ version, workspace, menu, forms })).changed).toBe(6);
    expect((await load(document)).changed).toBe(0);
  });

  it('moves a message to another conversation', async () => {
    const { document, workspaceId } = await stored();
    const { version, workspace, messaging } = document;
    const message = { ...messaging.messages[0], conversationId: 'conv_2', text: 'Moved' };
    expect((await load({ version, workspace, messaging: { messages: [message] } })).changed).toBe(1);
    const after = await exportedFromScan(workspaceId);
    expect(after.messaging.messages[0]).toEqual({ ...message, channelId: null });
    expect((await allItems()).filter(({ sk, pk }) => sk.endsWith('#msg_1') && pk.includes(workspaceId))).toHaveLength(
      1,
    );
  });
});

describe('an import with --prune', () => {
  it('removes records that the document lacks, of its kinds only', async () => {
    const { document, workspaceId, key } = await stored();
    const { version, workspace, cms, menu, forms, messaging } = document;
    const keptKinds = await exportedFromScan(workspaceId);
    const options = { prune: true };
    const { changed } = await load(
      {
        version,
        workspace,
        cms: { entries: cms.entries.slice(1, 3) },
        menu: { products: menu.products.slice(0, 1) },
        forms: forms.slice(1),
        messaging: { channels: messaging.channels.slice(0, 1), messages: messaging.messages.slice(1, 2) },
      },
      options,
    );
    expect(changed).toBe(3 + 2 + 1 + 1 + 2);
    const after = await exportedFromScan(workspaceId);
    expect(await listed(key)).toEqual(['dish_3', 'dish_2']);
    expect((await call('GET /api/public/cms/dishes/dish_1', { key })).status).toBe(404);
    expect(idsOf(after.menu.products)).toEqual(['prod_1']);
    expect(idsOf(after.menu.categories)).toEqual(['cat_1', 'cat_2']);
    expect(idsOf(after.forms)).toEqual(['form_2']);
    expect(idsOf(after.messaging.channels)).toEqual(['ch_1']);
    expect(idsOf(after.messaging.messages)).toEqual(['msg_2']);
    for (const kind of ['members', 'apiKeys', 'notifications', 'formResponses', 'attachments']) {
      expect(after[kind]).toEqual(keptKinds[kind]);
    }
    expect(after.cms.models).toEqual(keptKinds.cms.models);
  });

  it('frees the slugs of removed records', async () => {
    const { document } = await stored();
    const { version, workspace, menu, forms } = document;
    const only = { version, workspace, menu: { products: [menu.products[0]] }, forms: [forms[0]] };
    await load(only, { prune: true });
    const product = { ...menu.products[0], id: 'prod_9', slug: 'product-3' };
    await load({
      version,
      workspace,
      menu: { products: [product] },
      forms: [{ ...forms[0], id: 'form_9', slug: 'form-2' }],
    });
  });

  it('removes the entries of databases for which the document has no entries', async () => {
    const { document, workspaceId, key } = await stored();
    const { version, workspace } = document;
    const empty = { id: 'empty', name: { en: 'Empty' }, fields: [{ key: 'text', name: { en: 'Text' }, type: 'text' }] };
    const entries = [{ id: 'empty_1', modelId: 'empty', values: { text: 'x' } }];
    await load({ version, workspace, cms: { models: [empty], entries } }, { prune: false });
    expect(await listed(key, 'empty')).toEqual(['empty_1']);
    const { changed } = await load({ version, workspace, cms: { entries: document.cms.entries } }, { prune: true });
    expect(changed).toBe(1);
    expect(await listed(key, 'empty')).toEqual([]);
    expect(await listed(key)).toHaveLength(5);
    expect((await exportedFromScan(workspaceId)).cms.models).toHaveLength(2);
  });

  it('removes the entries of a removed database, and of no other', async () => {
    const { document, key } = await stored();
    const { version, workspace, cms } = document;
    const onlyEmpty = { version, workspace, cms: { models: [cms.models[1]] } };
    expect((await load(onlyEmpty, { prune: true })).changed).toBe(1 + cms.entries.length);
    expect((await call('GET /api/public/cms/dishes/list', { key })).status).toBe(404);
    const left = (await allItems()).filter(({ pk }) => pk.includes(`${workspace.id}#`) && pk.includes('dishes'));
    // The marks keep entries away that were begun before.
    expect(left.filter(({ pk }) => !pk.includes('#references#'))).toEqual([]);
    // A new database with the same id begins empty.
    await load({ version, workspace, cms: { models: cms.models } });
    expect(await listed(key)).toEqual([]);
  });

  it('leaves the same as a first import of the document', async () => {
    const workspaceId = newWorkspaceId();
    const began = new Date().toISOString();
    const document = everyKind(workspaceId);
    const smaller = everyKind(workspaceId);
    const lists = [smaller, smaller.cms, smaller.menu, smaller.messaging].flatMap((group) => Object.values(group));
    for (const list of lists) if (Array.isArray(list)) list.splice(1);
    smaller.messaging.messages[0].attachments = [];
    await restoreItems([]);
    await load(smaller);
    const expected = comparable(await allItems(), began);
    await restoreItems([]);
    await load(document);
    await load(smaller, { prune: true });
    expect(comparable(await allItems(), began)).toEqual(expected);
  });
});
