import { expect, it } from '@jest/globals';
import { putAll, removeAll } from '#lib/table/dynamodb/write-all.ts';
import { keys, type RecordKind } from '#lib/table/keys.ts';
import { call } from '#test/support/call.ts';
import { imagePart, mediaAddress, upload } from '#test/support/media.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const kitchen = await openWorkspace('media');
const { owner } = kitchen.keys;
const { id, url } = (await upload(owner, [imagePart()])).json;

/** More than three pages of a search, whose first ones are smaller. */
const count = 4_000;

const recordItem = (kind: RecordKind, recordId: string, text: string) => ({
  ...keys.record(kitchen.workspaceId, kind, recordId),
  record: JSON.stringify({ id: recordId, text }),
});

it('the last record of many is found, and without it the image is deleted', async () => {
  const kinds = ['menuProduct', 'menuCategory', 'form'] as const;
  const others = Array.from({ length: count }, (_, index) => recordItem('menuProduct', `many_${index}`, 'No image.'));
  await putAll(testTable(), [...others, ...kinds.map((kind) => recordItem(kind, 'zz_last', `<img src="${url}">`))]);
  const remove = () => call(`DELETE ${mediaAddress}/${id}`, { key: owner });
  const { status, json } = await remove();
  expect([status, json.errors.map(({ path }: { path: string }) => path)]).toEqual([
    409,
    ['forms/zz_last', 'menu-categories/zz_last', 'menu-products/zz_last'],
  ]);
  await removeAll(
    testTable(),
    kinds.map((kind) => keys.record(kitchen.workspaceId, kind, 'zz_last')),
  );
  expect((await remove()).status).toBe(204);
});
