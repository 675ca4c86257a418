import { beforeAll, expect, it } from '@jest/globals';
import { containerMemory } from '#lib/table/memory/container-memory.ts';
import { asLines, exportText, importText } from '#test/support/document-text.ts';
import { newWorkspaceId, siteSecret } from '#test/support/every-kind.ts';
import type { Document } from '#test/support/world.ts';

const workspaceId = newWorkspaceId();
const count = 1_200;

const document: Document = {
  version: 1,
  workspace: { id: workspaceId, name: 'Large', languages: ['en'], defaultLanguage: 'en' },
  apiKeys: [
    {
      id: 'key_site',
      name: 'Site',
      secret: siteSecret(workspaceId),
      permissions: ['menu:product:read', 'menu:product:manage'],
    },
  ],
  menu: {
    categories: [{ id: 'cat_1', slug: 'mains', name: { en: 'Mains' } }],
    products: Array.from({ length: count }, (_, number) => ({
      id: `p${number}`,
      slug: `product-${number}`,
      name: { en: `Product ${number}` },
      categoryId: 'cat_1',
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, Math.floor(number / 3))).toISOString(),
      updatedAt: '2026-02-01T00:00:00.000Z',
    })),
  },
};

/** The growth of this process's memory for the items of a table, in bytes. */
async function kept(work: () => Promise<unknown>): Promise<number> {
  const before = containerMemory.bytes;
  await work();
  return containerMemory.bytes - before;
}

beforeAll(async () => {
  expect(await importText(asLines(document), 'ndjson')).toMatchObject({ failures: [], changed: count + 3 });
});

it('an import and an export of a stored menu never hold it in memory as a whole', async () => {
  const again = async () => expect((await importText(asLines(document), 'ndjson')).changed).toBe(0);
  expect(await kept(again)).toBeLessThan(100 * count);
  const changed = { ...document, menu: { products: [{ ...document.menu.products[700], name: { en: 'Other' } }] } };
  expect(
    await kept(async () => expect((await importText(JSON.stringify(changed), 'json')).changed).toBe(1)),
  ).toBeLessThan(100 * count);
  expect(await kept(() => exportText(workspaceId))).toBeLessThan(100 * count);
  expect((await importText(JSON.stringify(document), 'json')).changed).toBe(1);
});
