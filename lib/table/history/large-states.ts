import { randomUUID } from 'node:crypto';
import { historyKey } from '#lib/domain/files/history-file.ts';
import type { Table, WorkspaceScope } from '../table.ts';
import { historyMilliseconds, marksOf, packed, type RecordStates, type StoredStates } from './kept-states.ts';

/** Larger ones, compressed, are a file in the bucket. */
const bytesInTableMax = 40 * 1_024;

/**
 * The states of a change as its transaction stores them. Large ones go to the bucket now, before the transaction: if it
 * then fails, the bucket removes their file in its time. They are not kept where the bucket does not take them.
 * @returns undefined if no history is kept
 */
export async function storedStates(
  table: Table,
  { workspaceId }: WorkspaceScope,
  states: RecordStates,
): Promise<StoredStates | undefined> {
  if (historyMilliseconds() === 0) return undefined;
  const bytes = packed(states);
  const content = bytes.length <= bytesInTableMax ? { states: bytes } : await keptFile(table, workspaceId, bytes);
  return { marks: marksOf(states), content };
}

/** The client of the bucket is loaded on demand: most records are small. */
async function keptFile(table: Table, workspaceId: string, bytes: Uint8Array): Promise<StoredStates['content']> {
  const { keepFile } = await import('#lib/files/history-files.ts');
  const file = randomUUID();
  await table.mayWrite();
  // The transaction needs the rest of the time.
  const isKept = await keepFile(historyKey(workspaceId, file), bytes, timeIn(table, 2));
  return isKept ? { file } : {};
}

/** A part of the time that the request has left, in milliseconds. */
export const timeIn = ({ millisecondsLeft }: Table, parts: number): number =>
  Math.min(10_000, Math.max(0, Math.floor(millisecondsLeft / parts)));
