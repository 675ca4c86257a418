import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { operator } from '#lib/domain/access/audit-event.ts';
import { eraseCustomer } from '#lib/table/erasing.ts';
import { call } from '#test/support/call.ts';
import { importText } from '#test/support/document-text.ts';
import { everyKind, newWorkspaceId, siteSecret } from '#test/support/every-kind.ts';
import { allItems, openOwnTable } from '#test/support/own-table.ts';
import { type Document, load, storeWorkspace, testTable } from '#test/support/world.ts';

let workspaceId: string;
let document: Document;

beforeAll(openOwnTable);

beforeEach(async () => {
  workspaceId = newWorkspaceId();
  document = everyKind(workspaceId);
  await storeWorkspace(document);
});

/** The removals that a dry run reports, those of the import, and those of a second dry run. */
async function removals(smaller: Document): Promise<object[]> {
  const before = await allItems();
  const dry = await load(smaller, { prune: true, dryRun: true });
  expect(dry).toMatchObject({ failures: [], changed: 0 });
  expect(await allItems()).toEqual(before);
  const { removed } = await load(smaller, { prune: true });
  const again = await load(smaller, { prune: true, dryRun: true });
  return [dry.removed, removed, again.removed];
}

/** A document of the same workspace with one other record of each kind. */
const alone = (given: Document): Document => {
  const { version, workspace } = given;
  return {
    version,
    workspace,
    members: [{ id: 'mem_9', name: 'New' }],
    apiKeys: [{ id: 'key_9', name: 'New', secret: `new-secret-of-${workspace.id}` }],
    cms: {
      models: [{ id: 'new', name: { en: 'New' }, fields: [] }],
      entries: [{ id: 'new_9', modelId: 'new', values: {} }],
    },
    menu: {
      categories: [{ id: 'cat_9', slug: 'nine', name: { en: 'Nine' } }],
      products: [{ id: 'prod_9', slug: 'nine', name: { en: 'Nine' }, categoryId: 'cat_9' }],
    },
    forms: [{ id: 'form_9', slug: 'nine', title: { en: 'Nine' } }],
    messaging: {
      channels: [{ id: 'ch_9', type: 'other', identifier: 'nine' }],
      customers: [{ id: 'cus_9' }],
      agents: [{ id: 'agent_9', name: 'New' }],
      conversations: [{ id: 'conv_9' }],
      messages: [{ id: 'msg_9', conversationId: 'conv_9', senderType: 'system', text: 'New' }],
    },
    attachments: [
      {
        ...given.attachments[0],
        id: 'att_9',
        s3Key: given.attachments[0].s3Key.replaceAll('att_1', 'att_9'),
      },
    ],
    formResponses: [{ id: 'res_9', formId: 'form_9', answers: {} }],
    notifications: [{ id: 'not_9', type: 'form_response', formId: 'form_9', formResponseId: 'res_9' }],
  };
};

describe('a dry run with --prune', () => {
  it('counts every record that the import then removes, of every kind', async () => {
    const [dry, removed, again] = await removals(alone(document));
    expect(Object.keys(dry ?? {})).toHaveLength(15);
    expect([dry, again]).toEqual([removed, {}]);
  });

  it.each<[string, (document: Document) => Document, object]>([
    ['a document with every kind', (given) => given, {}],
    [
      'a document with databases only: the removed one loses its entries',
      ({ version, workspace }) => ({
        version,
        workspace,
        cms: { models: [{ id: 'empty', name: { en: 'Empty' }, fields: [] }] },
      }),
      { cmsModel: 1, cmsEntry: 5 },
    ],
    [
      'a document with some entries: no database is removed',
      ({ version, workspace, cms }) => ({ version, workspace, cms: { entries: cms.entries.slice(0, 2) } }),
      { cmsEntry: 3 },
    ],
    [
      'a document with messages: no conversation is removed',
      ({ version, workspace, messaging }) => ({
        version,
        workspace,
        messaging: { messages: messaging.messages.slice(0, 1) },
      }),
      { message: 2 },
    ],
  ])('counts the same as the import for %s', async (_, of, expected) => {
    expect(await removals(of(document))).toEqual([expected, expected, {}]);
  });

  it('counts no message of a person who is being erased', async () => {
    const { version, workspace, messaging } = document;
    const said = (id: string) => ({ id, conversationId: 'conv_3', senderType: 'system', text: 'Yes' });
    const conversations = [{ id: 'conv_3', channelId: 'ch_1' }];
    await load({ version, workspace, messaging: { conversations, messages: [said('msg_4'), said('msg_5')] } });
    const author = { actor: operator, requestId: null };
    const [{ id: customerId }] = messaging.customers;
    await eraseCustomer(testTable(), { workspaceId }, { customerId, author, withResponses: false });
    const smaller = { version, workspace, messaging: { messages: [said('msg_4')] } };
    expect(await removals(smaller)).toEqual([{ message: 1 }, { message: 1 }, {}]);
  });

  it('counts no record that --keep-edits keeps', async () => {
    document.apiKeys[0].permissions = ['forms:response:create'];
    await load(document);
    const answer = await call(`POST /api/public/forms/form-1?apiKey=${siteSecret(workspaceId)}`, {
      body: { email: 'new@example.com' },
    });
    expect(answer.status).toBe(200);
    const { version, workspace, formResponses } = document;
    const smaller = { version, workspace, formResponses: [{ ...formResponses[0], id: 'res_9' }] };
    const keep = { prune: true, onEdits: async () => 'keep' as const };
    const dry = (options: object) => importText(JSON.stringify(smaller), 'json', { ...options, dryRun: true });
    expect((await dry({ prune: true })).removed).toEqual({ formResponse: 2 });
    expect((await dry(keep)).removed).toEqual({ formResponse: 1 });
    expect((await importText(JSON.stringify(smaller), 'json', keep)).removed).toEqual({ formResponse: 1 });
  });
});
