import { randomUUID } from 'node:crypto';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { BoundedCache } from './bounded-cache.ts';
import { milliseconds } from './clock.ts';
import { keys } from './keys.ts';
import type { Item } from './schema.ts';
import type { Table, TransactItem } from './table.ts';

/**
 * The version of the entries of a CMS database that others relate to (C3). Every change of one of them moves it, in the
 * same transaction, so that one small read tells whether all that a warm function holds of them still counts.
 */
interface EntriesVersion {
  readonly version: string;
  /** An import writes entries one by one: meanwhile the version says nothing of them. */
  readonly suspended?: true;
  /** The time from which every update moves the version. */
  readonly countsFrom?: string;
}

/** Longer than any update runs that has begun before its database was related to. */
const updateMillisecondsMax = 30_000;

/** The versions that stand, and since when this process knows them, on the clock of `Table.began`. */
const versions = new BoundedCache<{ readonly version: string; readonly since: number }>(10_000);

/** @returns nothing while no version vouches for the entries */
export async function readEntriesVersion(
  table: Table,
  { workspaceId }: WorkspaceScope,
  modelId: string,
): Promise<string | undefined> {
  const item = (await table.get(keys.entriesVersion(workspaceId, modelId))) as (EntriesVersion & Item) | undefined;
  if (!item || item.suspended || isLater(item.countsFrom)) return undefined;
  const { version } = item;
  const address = addressOf(workspaceId, modelId);
  if (versions.get(address)?.version !== version) versions.set(address, { version, since: milliseconds() });
  return version;
}

const isLater = (time: string | undefined): boolean => time !== undefined && time > new Date().toISOString();

/**
 * The version that all that a request has read of a database is of: it was known before the request began and still
 * stands, so nothing has changed in between, in whatever order the reads went.
 * @param current that of the table
 */
export function coveringVersion(
  table: Table,
  { workspaceId }: WorkspaceScope,
  modelId: string,
  current: string | undefined,
): string | undefined {
  const known = versions.get(addressOf(workspaceId, modelId));
  return known && known.version === current && known.since < table.began ? current : undefined;
}

/** Part of the transaction that updates an entry. */
export const movingEntriesVersion = (table: Table, { workspaceId }: WorkspaceScope, modelId: string): TransactItem => ({
  Update: {
    TableName: table.name,
    Key: keys.entriesVersion(workspaceId, modelId),
    UpdateExpression: 'SET #version = :version',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':version': randomUUID() },
  },
});

/** To be called before entries are written one by one. */
export async function suspendEntriesVersion(table: Table, workspaceId: string, modelId: string): Promise<void> {
  await table.update(keys.entriesVersion(workspaceId, modelId), {
    UpdateExpression: 'SET #version = :version, #suspended = :true',
    ExpressionAttributeNames: { '#version': 'version', '#suspended': 'suspended' },
    ExpressionAttributeValues: { ':version': randomUUID(), ':true': true },
  });
}

/** To be called when no more of them will be written. */
export async function resumeEntriesVersion(table: Table, workspaceId: string, modelId: string): Promise<void> {
  await table.update(keys.entriesVersion(workspaceId, modelId), {
    UpdateExpression: 'SET #version = :version REMOVE #suspended',
    ExpressionAttributeNames: { '#version': 'version', '#suspended': 'suspended' },
    ExpressionAttributeValues: { ':version': randomUUID() },
  });
}

/** To be called before a schema is published in which others relate to a database: updates under way know it not. */
export async function delayEntriesVersion(table: Table, workspaceId: string, modelId: string): Promise<void> {
  const time = new Date(Date.now() + updateMillisecondsMax).toISOString();
  await table.update(keys.entriesVersion(workspaceId, modelId), {
    UpdateExpression: 'SET #version = :version, #countsFrom = :time',
    ExpressionAttributeNames: { '#version': 'version', '#countsFrom': 'countsFrom' },
    ExpressionAttributeValues: { ':version': randomUUID(), ':time': time },
  });
}

const addressOf = (workspaceId: string, modelId: string): string => `${workspaceId}#${modelId}`;
