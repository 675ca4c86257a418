import { afterAll, afterEach, expect, it } from '@jest/globals';
import { storedRecords } from '#test/support/document-text.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { testTable } from '#test/support/world.ts';

await testTable().get({ pk: 'loaded before', sk: 'the proxy' });
const table = await FaultProxy.start();
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = table.url;
// Imported from here on, so that the table is behind the proxy.
const { openWorkspace } = await import('#test/support/workspace.ts');

const room = await openWorkspace('talk');
afterEach(() => table.heal());
afterAll(() => table.stop());

const conflict = {
  kind: 'error',
  type: 'TransactionCanceledException',
  status: 400,
  more: { CancellationReasons: [{ Code: 'TransactionConflict' }] },
} as const;
const messages = async () => (await storedRecords(room.workspaceId, 'message')).length;
const say = () => room.say('conv_1', { senderType: 'member', text: 'x' }, { 'idempotency-key': 'a' });

it('a message whose idempotency key is in use is answered 409, even if the next read takes too long', async () => {
  const before = await messages();
  let isMet = false;
  table.chance = ({ operation }) => {
    if (isMet) return { kind: 'hang' };
    isMet = operation === 'TransactWriteItems';
    return isMet ? conflict : undefined;
  };
  const { status, json } = await say();
  expect([status, json.code]).toEqual([409, 'conflict']);
  table.heal();
  expect(await messages()).toBe(before);
  expect((await say()).status).toBe(201);
  expect(await messages()).toBe(before + 1);
});
