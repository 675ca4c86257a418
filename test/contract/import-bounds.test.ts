import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { everyKind, newWorkspaceId, siteSecret } from '#test/support/every-kind.ts';
import { itLong } from '#test/support/long-run.ts';
import { noise } from '#test/support/noise.ts';
import { allItems, openOwnTable, restoreItems } from '#test/support/own-table.ts';
import { type Document, importFile, load } from '#test/support/world.ts';

beforeAll(openOwnTable);
beforeEach(() => restoreItems([]));

type Case = readonly [title: string, change: (document: Document) => void, ...found: string[]];

/** The changed document is refused with these failures, and nothing is stored. */
const eachRefused = (cases: readonly Case[]) =>
  it.each(cases.map(([title, change, ...found]) => ({ title, change, found })))('$title', async ({ change, found }) => {
    const document = everyKind();
    change(document);
    const { failures } = await importFile(document);
    expect(failures.map(({ kind, id, path, code }) => [kind, id, path, code].join(' '))).toEqual(found);
    expect(await allItems()).toEqual([]);
  });

const keyOf = (index: number): string =>
  `f${((index * 2_654_435_761) % 4_294_967_296).toString(36)}`.padEnd(64, `x${index}`);

describe("a document that exceeds the table's limits is refused before the first write:", () => {
  eachRefused([
    [
      'a name that is too long for the index of the menu, which also holds its folded form',
      ({ menu }) => {
        menu.products[0].name.en = noise(100_000);
        menu.categories[1].name.en = 'ﷺ'.repeat(12_000);
      },
      'menuCategory cat_2 name too_large',
      'menuProduct prod_1 name too_large',
    ],
    [
      "a channel's identifier that is too long for a key",
      ({ messaging }) => Object.assign(messaging.channels[1], { identifier: 'é'.repeat(451) }),
      'channel ch_2 identifier max_length',
    ],
    [
      'more permissions than a key may have',
      ({ members, apiKeys }) => {
        for (const owner of [members[0], apiKeys[0]]) owner.permissions = Array(101).fill('menu:product:read');
      },
      'member mem_lina permissions max_items',
      'apiKey key_site permissions max_items',
    ],
    [
      'two attachments of one file',
      ({ attachments, workspace }) => {
        const s3Key = `workspaces/${workspace.id}/drive/messaging/menu.pdf`;
        for (const id of ['att_2', 'att_3']) attachments.push({ ...attachments[0], id, s3Key });
      },
      'attachment att_3 s3Key duplicate',
    ],
    [
      'more fields that relate to products than can be listed',
      ({ cms }) => {
        const relation = { to: 'menu:product' };
        for (let index = 0; index < 25; index++) {
          const keys = Array.from({ length: 150 }, (_, field) => keyOf(index * 150 + field));
          const fields = keys.map((key) => ({ key, name: { en: key }, type: 'relation', relation }));
          cms.models.push({ id: `model_${index}`, name: { en: `model_${index}` }, fields });
        }
      },
      'document  cms.models too_large',
    ],
  ]);
});

describe('malformed ids, names and hashes are refused, and never read:', () => {
  const long = 'a'.repeat(3_000);
  eachRefused([
    ['no slug', ({ forms }) => Object.assign(forms[0], { slug: '' }), 'form form_1 slug format'],
    ['a long slug', ({ menu }) => Object.assign(menu.products[0], { slug: long }), 'menuProduct prod_1 slug format'],
    [
      'no database',
      ({ cms }) => Object.assign(cms.entries[0], { modelId: '' }),
      'cmsEntry dish_1 modelId format',
      'cmsEntry dish_1 modelId not_found',
    ],
    [
      'a long database',
      ({ cms }) => Object.assign(cms.entries[0], { modelId: long }),
      'cmsEntry dish_1 modelId format',
      'cmsEntry dish_1 modelId not_found',
    ],
    [
      'a relation without a database',
      ({ cms }) => Object.assign(cms.models[0].fields[12].relation, { to: 'cms:' }),
      'cmsModel dishes fields.12.relation.to format',
    ],
    [
      'relations that are not ids',
      ({ cms }) => Object.assign(cms.entries[0].values, { next: '', others: [long], products: ['', long] }),
      'cmsEntry dish_1 values.next format',
      'cmsEntry dish_1 values.others format',
      'cmsEntry dish_1 values.products format',
    ],
    [
      'malformed hashes',
      ({ apiKeys }) => {
        apiKeys.push({ id: 'key_1', name: 'One', secretHash: '' }, { id: 'key_2', name: 'Two', secretHash: long });
      },
      'apiKey key_1 secretHash format',
      'apiKey key_2 secretHash format',
    ],
    [
      'a workspace whose id is too long',
      (document) => {
        document.workspace.id = long;
        document.attachments = [];
      },
      `workspace ${long.slice(0, 128)} id format`,
    ],
  ]);
});

itLong('an import stores and changes a member with more keys than fit into one transaction', async () => {
  const document = everyKind(newWorkspaceId());
  const secretOf = (index: number) => `desk-${index}-${siteSecret(document.workspace.id)}`;
  for (let index = 0; index < 14; index++) {
    const key = { id: `desk_${index}`, name: 'x'.repeat(340_000), secret: secretOf(index), memberId: 'mem_omar' };
    document.apiKeys.push({ ...key, permissions: ['messaging:conversation:engage'] });
  }
  await load(document);
  expect((await load(document)).changed).toBe(0);
  const upload = () => call('POST /api/v1/connect/attachments', { key: secretOf(13) });
  expect((await upload()).status).toBe(401);
  Object.assign(document.members[1], { active: true, permissions: ['messaging:conversation:engage'] });
  await load(document);
  expect((await upload()).status).toBe(415);
});
