import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { type CollectionHead, contentVersion, headKey, isContentQuiet } from '../collection/head.ts';
import { milliseconds } from '../dynamodb/clock.ts';
import { containerMemory, textBytes } from '../memory/container-memory.ts';
import type { Item } from '../schema.ts';
import type { Table } from '../table.ts';
import { entryListScope } from './entry-list.ts';

/**
 * The version of the entries of a related CMS database. Every change of an entry is announced in the head of the
 * database's list. So one small read shows whether a container's cached entries are current.
 */
interface EntriesHead extends CollectionHead {
  /** The time from which every update is announced. */
  readonly countsFrom?: string;
}

/** Longer than any update runs that has begun before its database was related to. */
const updateMillisecondsMax = 30_000;

/** The current versions, and the time at which this process read them, on the clock of `Table.began`. */
const versions = containerMemory.view<{ readonly version: string; readonly since: number }>();

/** @returns undefined during changes, when no version is valid */
export async function readEntriesVersion(
  table: Table,
  workspace: WorkspaceScope,
  modelId: string,
): Promise<string | undefined> {
  const key = headKey(entryListScope(workspace, modelId));
  const head = (await table.get(key)) as (EntriesHead & Item) | undefined;
  if (!head || !isContentQuiet(head) || isLater(head.countsFrom)) return undefined;
  const version = contentVersion(head);
  const address = `${table.name} ${key.pk}`;
  if (versions.get(address)?.version !== version) {
    versions.set(address, { version, since: milliseconds() }, textBytes(version));
  }
  return version;
}

const isLater = (time: string | undefined): boolean => time !== undefined && time > new Date().toISOString();

/**
 * The version under which the reads of this request may be cached. This process must have known it before the request
 * began. Then no entry has changed since, and the order of the reads does not matter.
 * @param current that of the table
 */
export function cacheableVersion(
  table: Table,
  workspace: WorkspaceScope,
  modelId: string,
  current: string | undefined,
): string | undefined {
  const cached = versions.get(`${table.name} ${headKey(entryListScope(workspace, modelId)).pk}`);
  return cached && cached.version === current && cached.since < table.began ? current : undefined;
}

/**
 * Call this before publishing a schema with a new relation to a database. Updates in flight do not announce themselves
 * there yet.
 */
export async function postponeEntriesVersion(table: Table, workspace: WorkspaceScope, modelId: string): Promise<void> {
  const time = new Date(Date.now() + updateMillisecondsMax).toISOString();
  await table.update(headKey(entryListScope(workspace, modelId)), {
    UpdateExpression: 'SET #countsFrom = :time, #born = if_not_exists(#born, :time) ADD #content :one',
    ExpressionAttributeNames: { '#countsFrom': 'countsFrom', '#born': 'born', '#content': 'content' },
    ExpressionAttributeValues: { ':time': time, ':one': 1 },
    ReturnValues: 'NONE',
  });
}
