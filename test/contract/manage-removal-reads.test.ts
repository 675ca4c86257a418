import { expect, it } from '@jest/globals';
import { removeAll } from '#lib/table/dynamodb/write-all.ts';
import { keys } from '#lib/table/keys.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { startTableProxy } from '#test/support/proxied-table.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { load, testTable } from '#test/support/world.ts';

/** In the long run more than a page of items of the table. */
const most = isLongRun ? 1_100 : 60;
const sizes = [10, most];
const [few, many] = (await Promise.all(
  sizes.map((size) =>
    openWorkspace('records', (document) => {
      document.formResponses = Array.from({ length: size }, (_, number) => ({
        id: `resp_${number}`,
        formId: 'form_1',
        answers: {},
        createdAt: '2026-01-01T00:00:00.000Z',
      }));
      document.messaging.conversations = Array.from({ length: size }, (_, number) => ({
        id: `conv_${number}`,
        channelId: 'ch_1',
        customerId: 'cus_1',
      }));
    }),
  ),
)) as [Workspace<'records'>, Workspace<'records'>];
const proxy = await startTableProxy();

async function removed({ manage }: Workspace<'records'>, path: string) {
  await proxy.forget();
  const { status, json } = await manage(`DELETE ${path}`);
  const queries = proxy.calls.filter(({ operation }) => operation === 'Query').length;
  return { status, queries, referrers: (json?.errors ?? []).map(({ path: own }: { path: string }) => own) };
}

it.each([
  ['forms', 'form_2'],
  ['channels', 'ch_2'],
  ['customers', 'cus_2'],
])('the deletion of unused %s reads as many pages among many records as among 10', async (kind, id) => {
  const { queries } = await removed(few, `${kind}/${id}`);
  expect(await removed(many, `${kind}/${id}`)).toEqual({ status: 204, queries, referrers: [] });
});

it.each([
  ['forms', 'form_1', 'form-responses/resp_'],
  ['channels', 'ch_1', 'conversations/conv_'],
  ['customers', 'cus_1', 'conversations/conv_'],
])('a refused deletion of %s names 20 of many referrers in the order of their ids', async (kind, id, path) => {
  const { queries } = await removed(few, `${kind}/${id}`);
  const ids = Array.from({ length: most }, (_, number) => `${path}${number}`).sort();
  expect(await removed(many, `${kind}/${id}`)).toEqual({ status: 409, queries, referrers: ids.slice(0, 20) });
});

const kinds = [
  ['forms', 'form_1', 'formResponse', 'form-responses/resp_1'],
  ['channels', 'ch_1', 'conversation', 'conversations/conv_1'],
  ['customers', 'cus_1', 'conversation', 'conversations/conv_1'],
] as const;

it.each(kinds)('a pointer without its record does not keep one of the %s', async (kind, id, child, path) => {
  const { manage, workspaceId } = await openWorkspace('records');
  await removeAll(testTable(), [{ ...keys.record(workspaceId, child, String(path.split('/')[1])) }]);
  expect((await manage(`DELETE ${kind}/${id}`)).status).toBe(204);
});

it('after an import that gives records other parents, the former ones can be deleted and the new ones cannot', async () => {
  const { manage, document } = await openWorkspace('records');
  document.formResponses[0].formId = 'form_2';
  Object.assign(document.messaging.conversations[0], { channelId: 'ch_2', customerId: 'cus_2' });
  await load(document);
  const statuses = async (number: number) =>
    Promise.all(
      [`forms/form_${number}`, `channels/ch_${number}`, `customers/cus_${number}`].map(
        async (path) => (await manage(`DELETE ${path}`)).status,
      ),
    );
  expect(await statuses(2)).toEqual([409, 409, 409]);
  expect(await statuses(1)).toEqual([204, 204, 204]);
});
