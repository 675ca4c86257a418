import { expect, it } from '@jest/globals';
import { removeAll } from '#lib/table/dynamodb/write-all.ts';
import { keys } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { killAtEveryWrite } from '#test/support/killable-table.ts';
import { message } from '#test/support/presets/chat.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { type Document, importFile, testTable } from '#test/support/world.ts';

/** A changed message, a removed one, one more, and one that moves to another conversation. */
const changed = [
  message('msg_1', 1, { text: 'Changed.' }),
  message('msg_3', 3, { conversationId: 'conv_empty' }),
  message('msg_4', 9, { text: 'Imported.' }),
];

const importOf = ({ document: { version, workspace } }: Workspace<'talk'>, messages: readonly object[]): Document => ({
  version,
  workspace,
  messaging: { messages },
});

/** The list's summary of each conversation, and the same computed from its messages. */
async function listedAndComputed(room: Workspace<'talk'>): Promise<readonly [listed: object, computed: object]> {
  const { data }: Document = (await room.send('GET', '?limit=100')).json;
  const pairs = await Promise.all(
    data.map(async ({ id, lastMessage, lastMessageAt, unreadCount }: Document) => {
      const messages: Document[] = (await room.send('GET', `/${id}/messages?limit=100`)).json.data;
      const newest = messages.at(-1);
      const ofCustomer = messages.filter(({ senderType }) => senderType === 'customer').length;
      return [
        [id, { lastMessage, lastMessageAt, unreadCount }],
        [
          id,
          {
            lastMessage: newest?.text ?? null,
            lastMessageAt: newest?.createdAt ?? null,
            unreadCount: ofCustomer,
          },
        ],
      ];
    }),
  );
  return [
    Object.fromEntries(pairs.map(([listed]) => listed)),
    Object.fromEntries(pairs.map(([, computed]) => computed)),
  ];
}

it('lists show the messages of an import that was killed at any write, and later messages', async () => {
  let room: Workspace<'talk'>;
  let seen = 0;
  const run = async (table: Table) => {
    room = await openWorkspace('talk');
    await importFile(importOf(room, changed), {}, table);
  };
  await killAtEveryWrite(run, async (writes, isComplete) => {
    const [listed, computed] = await listedAndComputed(room);
    expect([writes, listed]).toEqual([writes, computed]);
    if (!isComplete && JSON.stringify(computed).includes('Imported.')) seen++;
    await removeAll(testTable(), [keys.importLease(room.workspaceId)]);
    await room.say('conv_1', { senderType: 'customer', senderId: 'cus_1', text: 'Hello.' });
    const [listedLater, computedLater] = await listedAndComputed(room);
    expect([writes, listedLater]).toEqual([writes, computedLater]);
    await importFile(importOf(room, changed));
    const [listedAtLast, computedAtLast] = await listedAndComputed(room);
    expect([writes, listedAtLast]).toEqual([writes, computedAtLast]);
  });
  expect(seen).toBeGreaterThan(0);
});
