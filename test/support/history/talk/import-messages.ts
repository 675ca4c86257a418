import { removeAll } from '#lib/table/dynamodb/write-all.ts';
import { keys } from '#lib/table/keys.ts';
import { KillableTable } from '../../killable-table.ts';
import { type Document, importFile, testTable } from '../../world.ts';
import type { Random } from '../random.ts';
import type { Step } from '../register.ts';
import type { SharedTalk } from './client.ts';
import { agentOf, earlierMessages, importedRoom, isAgent, rooms, statuses } from './world.ts';

const writesOfImportMax = 30;

/** Receives the start and the end of an import of a document; the end is infinite without an acknowledgement. */
type Report = (start: Step, end: Step) => void;

/**
 * Runs one import at a time. A third of the imports are killed at a random moment; the next one finds their partial
 * work.
 */
export async function importMessages(common: SharedTalk, random: Random): Promise<void> {
  if (common.isImporting) return;
  common.isImporting = true;
  const { history } = common.shared;
  const { workspace } = common.world.room.document;
  try {
    const { messaging, report } = newMessaging(common, random);
    const isKilled = random.isLikely(1 / 3);
    const table = isKilled ? new KillableTable(random.below(writesOfImportMax)).table : testTable();
    const start = history.step();
    const failure = await importFile({ version: 1, workspace, messaging }, {}, table).then(
      ({ failures }) => (failures.length === 0 ? undefined : JSON.stringify(failures)),
      (error: unknown) => String(error),
    );
    if (failure !== undefined && !isKilled) history.fault(`An import of messages has failed: ${failure}`);
    report(start, failure === undefined ? history.step() : Number.POSITIVE_INFINITY);
    // Expires the lease of the killed import.
    if (failure !== undefined) await removeAll(testTable(), [keys.importLease(workspace.id)]);
  } finally {
    common.isImporting = false;
  }
}

/**
 * Changes the text of an old message, adds a message elsewhere, and sometimes changes status and assignee of its room.
 */
function newMessaging(common: SharedTalk, random: Random) {
  const { shared, talk } = common;
  const room = random.isLikely(0.4) ? importedRoom : (rooms[random.below(rooms.length)] ?? '');
  const aged = earlierMessages(room)[random.below(3)];
  const text = `message ${shared.newNumber()}`;
  const added = `message ${shared.newNumber()}`;
  const messages: Document[] = [
    { ...aged, text },
    {
      id: `imp_${String(shared.newNumber()).padStart(8, '0')}`,
      conversationId: importedRoom,
      senderType: 'customer',
      senderId: null,
      text: added,
      createdAt: new Date().toISOString(),
    },
  ];
  const change =
    room !== importedRoom && random.isLikely(0.5) && isAgent(common.agents)
      ? { status: statuses[random.below(statuses.length)] ?? '', assignee: agentOf(common.agents++) }
      : undefined;
  const report: Report = (start, end) => {
    talk.of(room).messages.changed(aged?.id ?? '', text, start, end);
    if (change) talk.of(room).assignee.write({ value: change.assignee, start, end });
    if (change) talk.of(room).status.changed(change.status, start, end);
    talk.of(importedRoom).messages.sent({ text: added, start, end });
    talk.wroteIn(importedRoom, start, end);
  };
  const changed = change && {
    id: room,
    channelId: 'ch_1',
    customerId: room.replace('conv', 'cus'),
    status: change.status,
    assignee: { type: 'agent', id: change.assignee },
  };
  return { messaging: { messages, ...(changed && { conversations: [changed] }) }, report };
}
