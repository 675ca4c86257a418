import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Table } from '#lib/table/table.ts';
import { call } from '#test/support/call.ts';
import { type Encoding, exported, exportText, importText, withoutTime } from '#test/support/document-text.ts';
import { everyKind, newWorkspaceId, siteSecret } from '#test/support/every-kind.ts';
import { killAtEveryWrite } from '#test/support/killable-table.ts';
import { allItems, openOwnTable, restoreItems } from '#test/support/own-table.ts';
import { type Document, importFile, load, storeWorkspace } from '#test/support/world.ts';

beforeAll(openOwnTable);

/** Every list of a document by its path, such as `cms.entries`. */
function listsOf(document: Document): Record<string, Document[]> {
  const groups = Object.entries(document).flatMap(([name, value]) =>
    Array.isArray(value)
      ? [[name, value]]
      : Object.entries(value as object).map(([list, rows]) => [`${name}.${list}`, rows]),
  );
  return Object.fromEntries(groups.filter(([, rows]) => Array.isArray(rows) && typeof rows[0] === 'object'));
}

describe('an export', () => {
  it('holds every record with all members of the imported document', async () => {
    const document = everyKind();
    const { id } = document.workspace;
    await load(document);
    const given = structuredClone(document);
    for (const key of given.apiKeys) delete key.secret;
    given.apiKeys.sort((a: Document, b: Document) => (a.id < b.id ? -1 : 1));
    given.messaging.channels[0].identifier = 'saffron.example';
    const after = await exported(id);
    expect(Object.keys(listsOf(after)).toSorted()).toEqual(Object.keys(listsOf(given)).toSorted());
    expect(after).toMatchObject(given);
    expect(after.version).toBe(1);
    for (const { secretHash } of after.apiKeys) expect(secretHash).toMatch(/^[\da-f]{64}$/);
    expect(JSON.stringify(after)).not.toContain(siteSecret(id));
  });

  it.each<Encoding>(['json', 'ndjson'])('makes an empty table export the same bytes: .%s', async (encoding) => {
    const workspaceId = newWorkspaceId();
    await storeWorkspace(everyKind(workspaceId));
    const texts = [await exportText(workspaceId, 'json'), await exportText(workspaceId, 'ndjson')];
    const text = await exportText(workspaceId, encoding);
    await restoreItems([]);
    expect((await importText(text, encoding)).failures).toEqual([]);
    const again = [await exportText(workspaceId, 'json'), await exportText(workspaceId, 'ndjson')];
    expect(again.map(withoutTime)).toEqual(texts.map(withoutTime));
    expect((await call('GET /api/public/cms/dishes/list', { key: siteSecret(workspaceId) })).status).toBe(200);
  });

  it('has one record a line in both formats, kind by kind', async () => {
    const workspaceId = newWorkspaceId();
    await storeWorkspace(everyKind(workspaceId));
    const lines = (await exportText(workspaceId, 'ndjson')).trimEnd().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ kind: 'workspace', version: 1, id: workspaceId });
    const kinds = lines.map((line) => JSON.parse(line).kind);
    expect(kinds.filter((kind, index) => kind !== kinds[index - 1])).toEqual([
      'workspace',
      'member',
      'apiKey',
      'cmsModel',
      'cmsEntry',
      'menuCategory',
      'menuProduct',
      'form',
      'channel',
      // The line of a conversation begins with its own kind.
      'customer',
      'agent',
      'main',
      'order',
      'message',
      'attachment',
      'formResponse',
      'notification',
    ]);
    const records = lines.slice(1).map((line) => JSON.stringify({ ...JSON.parse(line), kind: undefined }));
    const text = await exportText(workspaceId, 'json');
    for (const record of records.filter((line) => !line.includes('"conv_'))) expect(text).toContain(`\n${record}`);
  });

  it('holds the values of updates', async () => {
    const workspaceId = newWorkspaceId();
    const document = everyKind(workspaceId);
    document.apiKeys[0].permissions = ['cms:entry:read', 'cms:entry:update', 'cms:entry:read-hidden'];
    await storeWorkspace(document);
    const values = {
      title: { ar: null, en: 'Updated' },
      others: [],
      amount: null,
      data: { a: [null] },
      published: false,
    };
    const key = siteSecret(workspaceId);
    const { status } = await call('PATCH /api/public/cms/dishes/dish_1', { key, body: { values } });
    expect(status).toBe(200);
    const { published, ...rest } = (await exported(workspaceId)).cms.entries[0];
    expect(published).toBe(false);
    expect(rest.values).toMatchObject({ title: { en: 'Updated' }, others: [], amount: null, data: { a: [null] } });
    const text = await exportText(workspaceId);
    expect((await importText(text, 'json')).changed).toBe(0);
    await restoreItems([]);
    await importText(text, 'json');
    expect(withoutTime(await exportText(workspaceId))).toBe(withoutTime(text));
  });

  it("leaves out values of a field's former type, as readers do", async () => {
    const document = everyKind();
    const { id } = document.workspace;
    await storeWorkspace(document);
    const { version, workspace, cms } = structuredClone(document);
    const types: Record<string, string> = {
      note: 'json',
      tags: 'json',
      amount: 'json',
      picture: 'text',
      hot: 'number',
    };
    for (const field of cms.models[0].fields) {
      field.type = types[field.key] ?? field.type;
      if (field.type === 'json') delete field.options;
    }
    await load({ version, workspace, cms: { models: cms.models } });
    const text = await exportText(id);
    const { values } = JSON.parse(text).cms.entries[0];
    expect(values).toMatchObject({ note: null, tags: null, amount: null, picture: null, hot: null, size: 's' });
    await restoreItems([]);
    expect((await importText(text, 'json')).failures).toEqual([]);
    expect(withoutTime(await exportText(id))).toBe(withoutTime(text));
  });

  it('an export of the smallest workspace contains the workspace only', async () => {
    const id = newWorkspaceId();
    const given = { id, name: 'Bare', languages: ['en'], defaultLanguage: 'en', currency: null };
    await load({ version: 1, workspace: given });
    const workspace = { ...given, timeZone: 'UTC' };
    expect(await exported(id)).toEqual({ version: 1, exportedAt: expect.stringMatching(/^2.+Z$/), workspace });
    const line = JSON.stringify({ kind: 'workspace', version: 1, ...workspace });
    expect(withoutTime(await exportText(id, 'ndjson'))).toBe(`${line}\n`);
  });

  it('can be imported after every deletable record was deleted through the service', async () => {
    const workspaceId = newWorkspaceId();
    const document = everyKind(workspaceId);
    document.apiKeys[0].permissions = ['access:member:manage', 'messaging:channel:manage', 'messaging:agent:manage'];
    document.members[0].permissions = [];
    document.messaging.messages[1].channelId = 'ch_2';
    await storeWorkspace(document);
    for (const address of ['members/mem_lina', 'channels/ch_2', 'agents/agent_1']) {
      const answer = await call(`DELETE /api/v1/manage/${address}`, { key: siteSecret(workspaceId) });
      expect(answer).toMatchObject({ status: 204 });
    }
    const text = await exportText(workspaceId);
    await restoreItems([]);
    expect((await importText(text, 'json')).failures).toEqual([]);
    const { apiKeys, messaging } = await exported(workspaceId);
    // The key of a deleted member is never valid again.
    expect(apiKeys.map(({ id }: Document) => id)).toEqual(['key_old', 'key_site']);
    expect(messaging.messages[1]).toMatchObject({ id: 'msg_2', channelId: 'ch_2' });
  });

  it('an export of an unknown workspace writes nothing and reports this', async () => {
    await expect(exportText('ws_nowhere')).rejects.toThrow('There is no workspace ws_nowhere.');
  });

  it('holds the values that readers see during an unfinished import', async () => {
    const workspaceId = newWorkspaceId();
    const document = everyKind(workspaceId);
    await storeWorkspace(document);
    const before = await exported(workspaceId);
    const items = await allItems();
    const { version, workspace, cms, menu } = structuredClone(document);
    cms.entries.push({ ...cms.entries[1], id: 'dish_9' });
    for (const product of menu.products) product.name = { en: 'Renamed' };
    menu.products.push({ ...menu.products[0], id: 'prod_9', slug: 'new' });
    const changed = { version, workspace, cms: { entries: cms.entries }, menu: { products: menu.products } };
    const shown = ({ cms: { entries }, menu: { products } }: Document) => ({
      entries: entries.map((entry: Document) => `${entry.createdAt} ${entry.id}`).join(),
      products: products.map((product: Document) => `${product.id} ${product.name.en}`).join(),
    });
    const old = shown(before);
    await importFile(changed);
    const next = shown(await exported(workspaceId));
    const states: ReturnType<typeof shown>[] = [];
    const run = async (table: Table) => {
      await restoreItems(items);
      await importFile(changed, {}, table);
    };
    const check = async () => states.push(shown(await exported(workspaceId)));
    await killAtEveryWrite(run, check, { first: 4, step: 8 });
    expect(next.entries.split(',')).toHaveLength(6);
    expect(next.products.split(',')).toHaveLength(4);
    for (const { entries, products } of states) {
      expect([old.entries, next.entries]).toContain(entries);
      expect([old.products, next.products]).toContain(products);
    }
    expect(new Set(states.map(({ products }) => products)).size).toBe(2);
  });
});
