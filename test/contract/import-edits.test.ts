import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiKeys } from '#lib/workspace/command/api-keys.ts';
import type { Edit } from '#lib/workspace/edits.ts';
import type { ImportOptions } from '#lib/workspace/import-document.ts';
import { call } from '#test/support/call.ts';
import { exported, exportText, importText } from '#test/support/document-text.ts';
import { everyKind, newWorkspaceId, siteSecret } from '#test/support/every-kind.ts';
import { type Document, load, storeWorkspace, testTable } from '#test/support/world.ts';

let workspaceId: string;
let document: Document;

beforeEach(async () => {
  workspaceId = newWorkspaceId();
  document = everyKind(workspaceId);
  document.apiKeys[0].permissions = ['cms:entry:read', 'cms:entry:update', 'forms:response:create'];
  await storeWorkspace(document);
});

const edit = async (id: string, values: object): Promise<void> => {
  const answer = await call(`PATCH /api/public/cms/dishes/${id}`, { key: siteSecret(workspaceId), body: { values } });
  expect(answer.status).toBe(200);
};
const amountOf = async (id: string): Promise<unknown> =>
  (await call(`GET /api/public/cms/dishes/${id}?maxDepth=0`, { key: siteSecret(workspaceId) })).json.amount;

/** Imports a document. @returns the reported edits */
async function edits(given: Document, options: ImportOptions = {}): Promise<string[]> {
  const found: Edit[] = [];
  const onEdits = async (list: readonly Edit[]) => {
    found.push(...list);
    return 'stop' as const;
  };
  await load(given, { onEdits, ...options });
  return found.map(({ kind, modelId, id, isMissing }) =>
    [kind, modelId, id, isMissing && 'unnamed'].filter(Boolean).join(' '),
  );
}

describe('an import that would undo an edit', () => {
  it('reports the changed entry and no other', async () => {
    expect(await edits(document)).toEqual([]);
    await edit('dish_1', { amount: 77 });
    expect(await edits(document)).toEqual(['cmsEntry dishes dish_1']);
    expect(await amountOf('dish_1')).toBe(77);
  });

  it('continues if requested, and then has no edits left', async () => {
    await edit('dish_1', { amount: 77 });
    expect(await load(document)).toMatchObject({ changed: 1, edits: [{ id: 'dish_1' }] });
    expect(await amountOf('dish_1')).not.toBe(77);
    expect(await edits(document)).toEqual([]);
  });

  it('leaves edited records unchanged if requested, and imports the others', async () => {
    await edit('dish_1', { amount: 77 });
    document.cms.entries[1].values.amount = 5;
    expect(await load(document, { onEdits: async () => 'keep' })).toMatchObject({ changed: 1 });
    expect(await Promise.all(['dish_1', 'dish_2'].map(amountOf))).toEqual([77, 5]);
    expect(await edits(document)).toEqual(['cmsEntry dishes dish_1']);
  });

  it('changes nothing in a dry run', async () => {
    await edit('dish_1', { amount: 77 });
    document.cms.entries[1].values.amount = 5;
    expect(await load(document, { dryRun: true })).toMatchObject({ changed: 0, edits: [{ id: 'dish_1' }] });
    expect(await amountOf('dish_2')).not.toBe(5);
  });

  it('reports the revocation and the rotation of a key', async () => {
    const keys = await ApiKeys.of(testTable(), workspaceId);
    await keys.revoke('key_lina', new Date());
    await keys.rotate('key_site', new Date(), 0);
    expect(await edits(document)).toEqual(['apiKey key_site', 'apiKey key_lina']);
    delete document.apiKeys[0].secret;
    expect(await edits(document)).toEqual(['apiKey key_lina']);
    expect(await load(document, { onEdits: async () => 'keep' })).toMatchObject({ changed: 0 });
  });

  it('keeps the rotation of a key when only its member changes', async () => {
    const keys = await ApiKeys.of(testTable(), workspaceId);
    await keys.rotate('key_lina', new Date(), 0);
    const { version, workspace, members } = structuredClone(document);
    members[0].permissions = [];
    await load({ version, workspace, members });
    expect(await edits(document)).toEqual(['apiKey key_lina']);
  });
});

describe("a change before the document's export", () => {
  it('is not an edit', async () => {
    await edit('dish_1', { amount: 77 });
    const file = await exported(workspaceId);
    file.cms.entries.find(({ id }: Document) => id === 'dish_1').values.amount = 78;
    expect(await edits(file)).toEqual([]);
    await edit('dish_2', { amount: 1 });
    expect(await edits(file)).toEqual(['cmsEntry dishes dish_2']);
  });

  it('is not an edit for an .ndjson document either', async () => {
    await edit('dish_1', { amount: 77 });
    const text = await exportText(workspaceId, 'ndjson');
    const onEdits = async () => 'stop' as const;
    expect((await importText(text.replace('"amount":77', '"amount":78'), 'ndjson', { onEdits })).changed).toBe(1);
  });
});

describe('with --prune', () => {
  const submit = () =>
    call(`POST /api/public/forms/form-1?apiKey=${siteSecret(workspaceId)}`, {
      body: { email: 'new@example.com' },
    });

  it('with --prune, a record that the service has created counts as an edit, and can be kept', async () => {
    const answer = await submit();
    expect(answer.status).toBe(200);
    expect(await edits(document)).toEqual([]);
    const found = await edits(document, { prune: true });
    expect(found).toHaveLength(2);
    expect(found.join()).toMatch(/^formResponse \w+ unnamed,notification \w+ unnamed$/);
    expect(await load(document, { prune: true, onEdits: async () => 'keep' })).toMatchObject({ changed: 0 });
    expect((await exported(workspaceId)).formResponses).toHaveLength(2);
    expect(await load(document, { prune: true })).toMatchObject({ changed: 2 });
  });

  it('with --prune, a kept channel or category keeps the records that stored records need, even if the document lacks them', async () => {
    document.apiKeys[0].permissions.push('messaging:channel:manage', 'menu:category:manage', 'messaging:channel:read');
    await load(document);
    const key = siteSecret(workspaceId);
    const change = async (address: string, body: object) => {
      expect(await call(`PATCH /api/v1/manage/${address}`, { key, body })).toMatchObject({ status: 200 });
    };
    await change('channels/ch_1', { name: 'Edited' });
    await change(`menu-categories/${document.menu.products[0].categoryId}`, { position: 9 });
    const channels = [{ id: 'ch_9', type: 'other', identifier: 'nine' }];
    const categories = [{ id: 'cat_9', slug: 'nine', name: { en: 'Nine' } }];
    const smaller = { version: 1, workspace: document.workspace, messaging: { channels }, menu: { categories } };
    const text = JSON.stringify(smaller);
    const orphans = async (options: ImportOptions) =>
      (await importText(text, 'json', { prune: true, ...options })).failures.map(({ kind, id }) => `${kind} ${id}`);
    const asked: string[][] = [];
    const onEdits: ImportOptions['onEdits'] = async (_, failures) => {
      asked.push(failures.map(({ kind, id }) => `${kind} ${id}`));
      return 'stop';
    };
    const found = await orphans({});
    expect(found).toContain('conversation conv_1');
    expect([await orphans({ onEdits }), asked]).toEqual([found, [found]]);
    const others = document.menu.products.filter(
      (product: Document) => product.categoryId !== document.menu.products[0].categoryId,
    );
    const left = others.map(({ id }: Document) => `menuProduct ${id}`);
    const keep = { onEdits: async () => 'keep' as const };
    expect(await orphans({ ...keep, dryRun: true })).toEqual(left);
    expect(await orphans(keep)).toEqual(left);
  });

  it.each([
    ['has no entries', undefined],
    ['has only entries of other databases', [{ id: 'other_1', modelId: 'others', values: {} }]],
  ])(
    'with --prune, an edited entry whose database is removed counts as an edit when the document %s',
    async (_, entries) => {
      await edit('dish_1', { amount: 77 });
      const models = [{ id: 'others', name: { en: 'Others' }, fields: [] }];
      const smaller = { version: 1, workspace: document.workspace, cms: { models, ...(entries && { entries }) } };
      expect(await edits(smaller)).toEqual([]);
      expect(await edits(smaller, { prune: true })).toEqual(['cmsEntry dishes dish_1 unnamed']);
      const options = { prune: true, onEdits: async () => 'keep' as const };
      const { failures } = await importText(JSON.stringify(smaller), 'json', options);
      expect(failures).toMatchObject([{ kind: 'cmsEntry', id: 'dish_1', path: 'modelId', code: 'not_found' }]);
      expect(await amountOf('dish_1')).toBe(77);
      expect(await load(smaller, { prune: true })).toMatchObject({ edits: [{ id: 'dish_1' }] });
      expect((await exported(workspaceId)).cms.models).toMatchObject([{ id: 'others' }]);
    },
  );
});

it('a kept record that contradicts the document is a failure, and nothing is imported', async () => {
  await edit('dish_1', { amount: 77 });
  document.cms.models[0].fields = document.cms.models[0].fields.filter(({ key }: Document) => key !== 'amount');
  for (const entry of document.cms.entries) if (entry.modelId === 'dishes') delete entry.values.amount;
  document.cms.models[0].fields.push({ key: 'now', name: { en: 'Now' }, type: 'text', required: true });
  for (const entry of document.cms.entries) if (entry.modelId === 'dishes') entry.values.now = 'yes';
  const options = { onEdits: async () => 'keep' as const };
  const result = await importText(JSON.stringify(document), 'json', options);
  expect(result.failures).toMatchObject([{ id: 'dish_1', path: 'values.now', code: 'required' }]);
  expect(await amountOf('dish_1')).toBe(77);
});

it('the export time of a document must be a valid time', async () => {
  const result = await importText(JSON.stringify({ ...document, exportedAt: 'yesterday' }), 'json');
  expect(result.failures).toMatchObject([{ kind: 'document', path: 'exportedAt', code: 'format' }]);
});
