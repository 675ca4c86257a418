import { beforeAll, describe, expect, it } from '@jest/globals';
import { removeAll } from '#lib/table/dynamodb/write-all.ts';
import { keys } from '#lib/table/keys.ts';
import { call } from '#test/support/call.ts';
import { everyKind, newWorkspaceId, siteSecret } from '#test/support/every-kind.ts';
import { expectExportRoundTrip } from '#test/support/export-round-trip.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { type Document, importFile, load, storeWorkspace, testTable } from '#test/support/world.ts';

beforeAll(openOwnTable);

const managing = ['cms:model:read', 'cms:model:manage', 'workspace:settings:read', 'workspace:settings:update'];

async function stored(change: (document: Document) => void = () => undefined) {
  const workspaceId = newWorkspaceId();
  const document = everyKind(workspaceId);
  document.apiKeys[0].permissions = managing;
  change(document);
  await storeWorkspace(document);
  return { workspaceId, document, key: siteSecret(workspaceId) };
}

const patch = async (key: string, address: string, body: object): Promise<void> => {
  const answer = await call(`PATCH /api/v1/manage/${address}`, { key, body });
  expect(answer).toMatchObject({ status: 200 });
};

const fieldsWith = (document: Document, key: string, change: object): Document[] =>
  document.cms.models[0].fields.map((field: Document) => (field.key === key ? { ...field, ...change } : field));

describe('an export is the same after an import into an empty workspace', () => {
  it('an export survives an import into an empty workspace after a form with responses was pruned', async () => {
    const { workspaceId, document } = await stored();
    const { version, workspace, forms } = document;
    await load({ version, workspace, forms: forms.slice(1) }, { prune: true });
    expect(await expectExportRoundTrip(workspaceId)).toEqual([
      'formResponse res_1 formId not_found',
      'notification not_1 formId not_found',
    ]);
  });

  it('an export survives an import into an empty workspace after a conversation with messages was pruned', async () => {
    const { workspaceId, document } = await stored();
    const { version, workspace, messaging } = document;
    const conversations = [{ ...messaging.conversations[1], parentId: null }];
    await load({ version, workspace, messaging: { conversations } }, { prune: true });
    expect(await expectExportRoundTrip(workspaceId)).toEqual([
      'message msg_1 conversationId not_found',
      'message msg_2 conversationId not_found',
    ]);
  });

  it('an export survives an import into an empty workspace without the channel, the customer and the parent of a conversation', async () => {
    const { workspaceId } = await stored();
    const gone = ['channel ch_1', 'customer cus_1'].map((name) => name.split(' ') as ['channel', string]);
    await removeAll(
      testTable(),
      gone.map(([kind, id]) => keys.record(workspaceId, kind, id)),
    );
    expect(await expectExportRoundTrip(workspaceId)).toEqual([
      'conversation conv_1 channelId not_found',
      'conversation conv_1 customerId not_found',
      'message msg_1 senderId not_found',
    ]);
  });

  it('an export survives an import into an empty workspace after a database began to require a value that entries lack', async () => {
    const { workspaceId, document, key } = await stored();
    await patch(key, 'cms-models/dishes', { fields: fieldsWith(document, 'day', { required: true }) });
    const entries = ['dish_2', 'dish_3', 'dish_4', 'dish_5'];
    expect(await expectExportRoundTrip(workspaceId)).toEqual(entries.map((id) => `cmsEntry ${id} values.day required`));
  });

  it('an export survives an import into an empty workspace after a database stopped offering a choice that entries have', async () => {
    const { workspaceId, document, key } = await stored();
    const offered = [{ value: 'm', label: {} }];
    await patch(key, 'cms-models/dishes', { fields: fieldsWith(document, 'size', { options: offered }) });
    await patch(key, 'cms-models/dishes', { fields: fieldsWith(document, 'tags', { options: [] }) });
    await patch(key, 'cms-models/dishes', { fields: fieldsWith(document, 'size', { options: offered }) });
    expect(await expectExportRoundTrip(workspaceId)).toEqual(['cmsEntry dish_1 values.size not_allowed']);
  });

  it('an export survives an import into an empty workspace after a language of required texts and conversations was removed', async () => {
    const { workspaceId, key } = await stored(({ cms, messaging }) => {
      cms.entries[1].values.title = { ar: 'طبق' };
      messaging.agents[0].language = 'ar';
    });
    await patch(key, 'workspace', { languages: ['en'] });
    expect(await expectExportRoundTrip(workspaceId)).toEqual([
      'cmsEntry dish_2 values.title required',
      'conversation conv_1 language not_allowed',
    ]);
  });

  it.each([
    ['date', {}, 'required'],
    ['url', {}, 'required'],
    ['select', { options: [{ value: 's', label: { en: 'S' } }] }, 'not_allowed'],
    ['relation', { relation: { to: 'cms:dishes' } }, 'required'],
  ])(
    'an export survives an import into an empty workspace after an import gave a field with a value another type: %s',
    async (type, more, code) => {
      const { workspaceId, document } = await stored(({ cms }) => {
        cms.entries[0].values.note = `no value of the other types ${'x'.repeat(2_000)}`;
      });
      const { version, workspace, cms } = document;
      const fields = fieldsWith(document, 'note', { type, ...more, required: true, hidden: false });
      await load({ version, workspace, cms: { models: [{ ...cms.models[0], fields }] } });
      expect(await expectExportRoundTrip(workspaceId)).toContain(`cmsEntry dish_1 values.note ${code}`);
    },
  );
});

describe('a document that is not an export is refused with', () => {
  it.each<readonly [string, (document: Document) => void, string]>([
    [
      'a response to an unknown form',
      ({ formResponses }) => Object.assign(formResponses[0], { formId: 'no' }),
      'formId',
    ],
    [
      'a conversation on an unknown channel',
      ({ messaging }) => Object.assign(messaging.conversations[0], { channelId: 'no' }),
      'channelId',
    ],
    ['an absent required value', ({ cms }) => delete cms.entries[1].values.title, 'values.title'],
    ['an unknown choice', ({ cms }) => Object.assign(cms.entries[0].values, { size: 'xl' }), 'values.size'],
  ])('%s', async (_, change, path) => {
    const document = everyKind();
    change(document);
    expect((await importFile(document)).failures.map((failure) => failure.path)).toEqual([path]);
    const { failures, warnings } = await importFile({ ...document, exportedAt: '2026-01-01T00:00:00Z' });
    expect([failures, warnings.map((warning) => warning.path)]).toEqual([[], expect.arrayContaining([path])]);
  });
});
