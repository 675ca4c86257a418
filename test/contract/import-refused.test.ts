import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Failure } from '#lib/domain/failure.ts';
import { importDocument } from '#lib/workspace/import-document.ts';
import { call } from '#test/support/call.ts';
import { everyKind, newWorkspaceId, siteSecret } from '#test/support/every-kind.ts';
import { allItems, openOwnTable } from '#test/support/own-table.ts';
import { type Document, importFile, load, storeWorkspace, testTable } from '#test/support/world.ts';

beforeAll(openOwnTable);

const inShort = (result: Document) => result.failures.map(({ kind, id, path }: Document) => [kind, id, path].join(' '));

async function fileOf(content: string, name: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'import-refused-')), name);
  await writeFile(file, content);
  return file;
}

describe('a document with a failure', () => {
  const lastIsWrong = (document: Document) => {
    document.notifications.push({ id: 'not_2', type: 'nonsense', formId: 'form_1', formResponseId: 'res_1' });
    return document;
  };

  it('imports nothing of a new workspace', async () => {
    const before = await allItems();
    const result = await importFile(lastIsWrong(everyKind()));
    expect(inShort(result)).toEqual(['notification not_2 type']);
    expect(result).toMatchObject({ changed: 0, newSecrets: [] });
    expect(await allItems()).toEqual(before);
  });

  it('changes nothing of a stored one, not even with --prune', async () => {
    const workspaceId = newWorkspaceId();
    await storeWorkspace(everyKind(workspaceId));
    const before = await allItems();
    const document = lastIsWrong(everyKind(workspaceId));
    document.cms.entries = [{ id: 'dish_9', modelId: 'dishes', values: { title: { en: 'New' } } }];
    document.members = [];
    document.apiKeys[0].secret = 'another-secret-of-this-key';
    const result = await importFile(document, { prune: true });
    expect(inShort(result)).toContain('notification not_2 type');
    expect(await allItems()).toEqual(before);
  });

  it('names the kind of an absent target and the fields of a database in its messages', async () => {
    const document = everyKind();
    document.messaging.channels[0].agentId = 'agent_gone';
    document.cms.models.push({ id: 'bare', name: { en: 'Bare' }, fields: [] });
    document.cms.entries.push({ id: 'e1', modelId: 'bare', values: { title: 'x' } });
    const { failures, warnings } = await importFile(document);
    const messages = [...failures, ...warnings].map(({ message }: Document) => message);
    expect(messages).toContain('Must be a field of the database bare; it has no fields.');
    expect(messages).toContain('Must be the id of an agent; there is no agent_gone yet.');
  });

  it.each([
    ['no workspace id', { version: 1, workspace: { name: 'x' } }, 'workspace workspace id'],
    ['a malformed workspace id', { version: 1, workspace: { id: 'a#b', name: 'x' } }, 'workspace a#b id'],
    ['a workspace that is not an object', { version: 1, workspace: 'ws' }, 'workspace workspace '],
    ['no workspace', { version: 1 }, 'document  workspace'],
    ['another version', { ...everyKind(), version: 2 }, 'document  version'],
  ])('is reported when it has %s', async (_, document, failure) => {
    const before = await allItems();
    expect(inShort(await importFile(document))).toContain(failure);
    expect(await allItems()).toEqual(before);
  });

  it.each([
    ['no JSON object', '{', 'workspace.json'],
    ['empty', '', 'workspace.ndjson'],
    ['only blank lines', '\n\n', 'workspace.ndjson'],
  ])('is reported when it is %s', async (_, content, name) => {
    const result = await importDocument(testTable(), await fileOf(content, name));
    expect(result.failures).toMatchObject([{ kind: 'document' }]);
  });
});

describe('a file that cannot be read', () => {
  it('is reported in a sentence with the name that the user gave', async () => {
    const missing = join(tmpdir(), 'no-such-directory', 'workspace.json');
    const attempt = importDocument(testTable(), missing);
    await expect(attempt).rejects.toThrow(Failure);
    await expect(attempt).rejects.toThrow(`The workspace document ${missing} cannot be read: there is no such file.`);
    await expect(importDocument(testTable(), tmpdir())).rejects.toThrow('it is a directory');
  });
});

describe('a secret of another key', () => {
  it('is a failure when that key is in another workspace, and both keys stay unchanged', async () => {
    const theirs = newWorkspaceId();
    await storeWorkspace(everyKind(theirs));
    const mine = everyKind();
    const before = await allItems();
    mine.apiKeys[0].secret = siteSecret(theirs);
    expect(inShort(await importFile(mine))).toEqual(['apiKey key_site secret']);
    expect(await allItems()).toEqual(before);
  });

  it('is a failure when that key is in the same workspace, stored or in the document', async () => {
    const document = everyKind();
    const { workspace, apiKeys } = document;
    const twin = { ...apiKeys[0], id: 'key_twin' };
    expect(inShort(await importFile({ ...document, apiKeys: [...apiKeys, twin] }))).toEqual(['apiKey key_twin secret']);
    await storeWorkspace(document);
    expect(inShort(await importFile({ version: 1, workspace, apiKeys: [twin] }))).toEqual(['apiKey key_twin secret']);
  });
});

describe('an e-mail address of another member', () => {
  it.each(['lina@example.com', ' LINA@Example.com '])(
    'is refused at email, spelt %j, in the document and in the table',
    async (email) => {
      const { members, ...document } = everyKind();
      const lina = { ...members[0], email: 'lina@example.com' };
      const omar = { ...members[1], email };
      const twice = await importFile({ ...document, members: [lina, omar] });
      expect(twice.failures).toMatchObject([{ kind: 'member', path: 'email', code: 'duplicate' }]);
      await storeWorkspace({ ...document, members: [lina, { ...omar, email: null }] });
      const { version, workspace } = document;
      expect(inShort(await importFile({ version, workspace, members: [omar] }))).toEqual([`member ${omar.id} email`]);
      // The document may give an address to another member.
      const given = { version, workspace, members: [{ ...lina, email: null }, omar] };
      expect((await importFile(given, { dryRun: true })).failures).toEqual([]);
    },
  );
});

describe('a record that the service would refuse is refused:', () => {
  const parent = 'Must be a main conversation, not itself.';
  const language = "Must be null or one of the workspace's languages: en, ar.";

  it.each<readonly [string, (document: Document) => void, string, string]>([
    [
      'a conversation that is its own parent',
      ({ messaging }) => Object.assign(messaging.conversations[1], { parentId: 'conv_2' }),
      'conversation conv_2 parentId',
      parent,
    ],
    [
      'a sub-conversation of a sub-conversation',
      ({ messaging }) => messaging.conversations.push({ id: 'conv_3', kind: 'topic', parentId: 'conv_2' }),
      'conversation conv_3 parentId',
      'Must be a main conversation; conv_2 is a sub-conversation.',
    ],
    [
      'a main conversation with a parent',
      ({ messaging }) => messaging.conversations.push({ id: 'conv_3', parentId: 'conv_1' }),
      'conversation conv_3 kind',
      'Must be project, order, support or topic with parentId.',
    ],
    [
      'a conversation in an unknown language',
      ({ messaging }) => Object.assign(messaging.conversations[0], { language: 'fr' }),
      'conversation conv_1 language',
      language,
    ],
    [
      'metadata of a response with the name of an answer',
      ({ formResponses }) => Object.assign(formResponses[0].meta, { email: 'a@b.co' }),
      'formResponse res_1 meta.email',
      'Must have a name that starts with _, as metadata has.',
    ],
  ])('%s', async (_, change, failure, message) => {
    const document = everyKind();
    change(document);
    const result = await importFile(document);
    expect(inShort(result)).toEqual([failure]);
    expect(result.failures).toMatchObject([{ code: 'not_allowed', message }]);
    // An export may contain it.
    const exported = { ...document, exportedAt: '2026-01-01T00:00:00Z' };
    const { failures, warnings } = await importFile(exported, { dryRun: true });
    expect([failures, inShort({ failures: warnings })]).toEqual([[], [failure]]);
  });

  it('a record that HTTP stores is accepted: an agent in any language, a choice without options', async () => {
    const document = everyKind();
    document.messaging.agents[0].language = 'fr';
    const title = { en: 'x' };
    document.forms[0].fields.push({ id: 'ff_3', ref: 'topic', title, type: 'SELECT' });
    document.cms.models[1].fields = [{ key: 'topic', name: { en: 'Topic' }, type: 'select' }];
    document.apiKeys[0].permissions = ['forms:form:manage', 'messaging:agent:read', 'messaging:agent:manage'];
    document.apiKeys[0].permissions.push('cms:model:read', 'cms:model:manage');
    await storeWorkspace(document);
    const key = siteSecret(document.workspace.id);
    const addresses = { 'forms/form_1': document.forms[0], 'cms-models/empty': document.cms.models[1] };
    for (const [address, body] of Object.entries({ ...addresses, 'agents/agent_1': document.messaging.agents[0] })) {
      const answer = await call(`PUT /api/v1/manage/${address}`, { key, body });
      expect([address, answer.status]).toEqual([address, 200]);
    }
  });
});

describe('a slug of another record', () => {
  it('is a failure unless the document gives that record another one, or removes it', async () => {
    const document = everyKind();
    await storeWorkspace(document);
    const { workspace, menu } = document;
    const [first, second] = menu.products;
    const rest = { version: 1, workspace };
    const products = [{ ...first, slug: second.slug }];
    expect(inShort(await importFile({ ...rest, menu: { products } }))).toEqual(['menuProduct prod_1 slug']);
    await load({ ...rest, menu: { products } }, { prune: true });
    await load({ ...rest, menu: { products: [first, { ...second, slug: 'free' }] } });
    await load({ ...rest, menu: { products: [...products, { ...second, slug: first.slug }] } });
  });
});

describe('a channel or customer of stored conversations', () => {
  it('is not pruned, and the failures name each of them', async () => {
    const document = everyKind();
    await storeWorkspace(document);
    const { version, workspace, messaging } = document;
    const before = await allItems();
    const smaller = { channels: messaging.channels.slice(1), customers: [{ id: 'cus_2' }] };
    const rest = { version, workspace, messaging: smaller };
    const { failures } = await importFile(rest, { prune: true });
    const stays = (what: string) => `Must be ${what}, which is to be removed.`;
    expect(failures.map(({ id, path, message }) => [id, path, message])).toEqual([
      ['conv_1', 'channelId', stays('on a channel that stays: the stored conversation is on ch_1')],
      ['conv_1', 'customerId', stays('with a customer that stays: the stored conversation is with cus_1')],
    ]);
    // The same holds with the time of an export, if a conversation of the document names them.
    const named = { ...rest, messaging: { ...smaller, conversations: messaging.conversations } };
    const again = await importFile({ ...named, exportedAt: '2026-01-01T00:00:00Z' }, { prune: true });
    expect(inShort(again)).toEqual(['conversation conv_1 channelId', 'conversation conv_1 customerId']);
    expect(await allItems()).toEqual(before);
  });

  it('is pruned with them, or when the document gives them others', async () => {
    const document = everyKind();
    await storeWorkspace(document);
    const { version, workspace, messaging } = document;
    const [first, second] = messaging.conversations;
    const channels = messaging.channels.slice(1);
    const moved = { channels, conversations: [{ ...first, channelId: 'ch_2' }, second] };
    expect((await load({ version, workspace, messaging: moved }, { prune: true })).changed).toBe(2);
    const gone = { customers: [{ id: 'cus_2' }], conversations: [{ id: 'conv_3' }] };
    expect((await load({ version, workspace, messaging: gone }, { prune: true })).changed).toBe(2 + 3);
  });
});

describe('a category with stored products', () => {
  it('is not pruned, and the failures name each of them', async () => {
    const document = everyKind();
    await storeWorkspace(document);
    const { version, workspace, menu } = document;
    const [mains] = menu.categories;
    const before = await allItems();
    const result = await importFile({ version, workspace, menu: { categories: [mains] } }, { prune: true });
    expect(result.failures).toMatchObject([
      {
        kind: 'menuProduct',
        id: 'prod_3',
        path: 'categoryId',
        code: 'not_found',
        message: 'Must be in a category that stays: the stored product is in cat_2, which is to be removed.',
      },
    ]);
    expect(await allItems()).toEqual(before);
  });

  it('is pruned when the document moves its products to another, or removes them', async () => {
    const document = everyKind();
    await storeWorkspace(document);
    const { version, workspace, menu } = document;
    const [mains, drinks] = menu.categories;
    const moved = { ...menu.products[2], categoryId: mains.id };
    await load({ version, workspace, menu: { products: [moved] } });
    expect((await load({ version, workspace, menu: { categories: [mains] } }, { prune: true })).changed).toBe(1);
    await load(document);
    const only = { categories: [drinks], products: [menu.products[2]] };
    expect((await load({ version, workspace, menu: only }, { prune: true })).changed).toBe(3);
  });
});
