import { expect, it } from '@jest/globals';
import { handler as expire, removedConversation } from '#functions/records-expire/handler.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { eraseCustomer } from '#lib/table/erasing.ts';
import type { Table } from '#lib/table/table.ts';
import { exportedFromScan } from '#test/support/document-text.ts';
import { advanceUntilDue, dueItems } from '#test/support/due-items.ts';
import { openRoom, type Room, runAll, traces } from '#test/support/erased-person.ts';
import { KillableTable } from '#test/support/killable-table.ts';
import { openOwnTable } from '#test/support/own-table.ts';

// The process dies before each of the writes of an erasing, the request and the runs after it.

await openOwnTable();
const actor = { type: 'key', id: 'key_admin', name: 'admin' } as const;

/** The request and the work that it makes due, in one process. */
async function eraseWith(table: Table, { workspaceId }: Room): Promise<void> {
  const author = { actor, requestId: 'request' };
  const scope = { workspaceId } as Principal;
  await eraseCustomer(table, scope, { customerId: 'cus_z', author, withResponses: true });
  for (const item of (await dueItems('conversation')).filter((work) => work['workspaceId'] === workspaceId)) {
    const attempt = { table, isWoken: false, isTimeLeft: () => true, signal: new AbortController().signal };
    expect(await removedConversation.handle(item as never, attempt)).toBe('done');
  }
}

/** @returns whether the process came to its end */
async function killAt(write: number): Promise<boolean> {
  const room = await openRoom();
  await room.visit('crm-zubaydah');
  const before = (await exportedFromScan(room.workspaceId)).messaging.customers.length;
  const killable = new KillableTable(write);
  const ended = await eraseWith(killable.table, room).then(
    () => true,
    () => false,
  );
  await runAll();
  const document = await exportedFromScan(room.workspaceId);
  // Killed before its first write, the call has changed nothing. Later, the background work ends it without another call.
  const isBegun = document.messaging.customers.length < before;
  expect([write, isBegun]).toEqual([write, write > 0]);
  if (isBegun) expect([write, await traces(room)]).toEqual([write, []]);
  expect(document.messaging.customers.map(({ id }: { id: string }) => id)).toContain('cus_y');
  expect(document.messaging.messages.map(({ id }: { id: string }) => id)).toContain('msg_y1');
  expect(document.attachments.map(({ id }: { id: string }) => id)).toContain('zubaydah-shared');
  expect(await dueItems('conversation')).toEqual([]);
  return ended;
}

it('an erasing that is killed before any of its writes is finished by the next runs', async () => {
  let write = 0;
  while (!(await killAt(write))) write++;
  expect(write).toBeGreaterThan(15);
}, 600_000);

it('two processes that do the same work at once leave nothing, and remove nothing of others', async () => {
  const room = await openRoom();
  await room.visit('crm-zubaydah');
  const { workspaceId } = room;
  const author = { actor, requestId: 'request' };
  const erasure = { customerId: 'cus_z', author, withResponses: true };
  const { table } = new KillableTable();
  const twice = [1, 2].map(() => eraseCustomer(table.uncached(), { workspaceId }, erasure).catch(() => undefined));
  await Promise.all(twice);
  await advanceUntilDue('conversation');
  const run = () => expire({ time: new Date().toISOString() } as never, { getRemainingTimeInMillis: () => 60_000 });
  await Promise.all([run(), run(), run()]);
  await runAll();
  expect(await traces(room)).toEqual([]);
  expect((await exportedFromScan(workspaceId)).attachments).toHaveLength(2);
});
