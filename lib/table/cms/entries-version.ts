import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { type CollectionHead, contentVersion, headKey, isContentStable } from '../collection/head.ts';
import { milliseconds } from '../dynamodb/clock.ts';
import { containerMemory, textBytes } from '../memory/container-memory.ts';
import type { Item } from '../schema.ts';
import type { Table } from '../table.ts';
import { entryListScope } from './entry-list.ts';

/**
 * The head of a related database's list. Every change of an entry is announced in it. So one small read shows whether
 * the cached entries of a container are current.
 */
interface EntriesHead extends CollectionHead {
  /** The time from which every update is announced. */
  readonly countsFrom?: string;
}

/** The maximum duration of an update that began before the relation was published. */
const updateMillisecondsMax = 30_000;

/** The current versions, and the time at which this process read them, on the clock of `Table.startedAt`. */
const versions = containerMemory.view<{ readonly version: string; readonly since: number }>();

/** @returns undefined while a change is under way, when no version is valid */
export async function readEntriesVersion(
  table: Table,
  workspace: WorkspaceScope,
  modelId: string,
): Promise<string | undefined> {
  const key = headKey(entryListScope(workspace, modelId));
  const head = (await table.get(key)) as (EntriesHead & Item) | undefined;
  if (!head || !isContentStable(head) || isLater(head.countsFrom)) return undefined;
  const version = contentVersion(head);
  const address = `${table.name} ${key.pk}`;
  if (versions.get(address)?.version !== version) {
    versions.set(address, { version, since: milliseconds() }, textBytes(version));
  }
  return version;
}

const isLater = (time: string | undefined): boolean => time !== undefined && time > new Date().toISOString();

/**
 * The version under which this request may cache its reads. It needs the same version from a read before the request
 * began. Then no entry has changed since, and the order of the reads does not matter.
 * @param current the version that this request has read
 */
export function cacheableVersion(
  table: Table,
  workspace: WorkspaceScope,
  modelId: string,
  current: string | undefined,
): string | undefined {
  const cached = versions.get(`${table.name} ${headKey(entryListScope(workspace, modelId)).pk}`);
  return cached && cached.version === current && cached.since < table.startedAt ? current : undefined;
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
