import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { type CollectionHead, contentVersion, headKey, isContentStable } from '../collection/head.ts';
import { milliseconds } from '../dynamodb/clock.ts';
import { containerMemory, textBytes } from '../memory/container-memory.ts';
import { Repository } from '../repository.ts';
import type { Item } from '../schema.ts';
import type { Table } from '../table.ts';
import { CmsEntries } from './cms-entries.ts';
import { cachedEntry, cacheEntry } from './entry-cache.ts';
import { entryListScope } from './entry-list.ts';
import type { StoredEntry } from './stored-entry.ts';

/**
 * Reads entries that other entries show as relations. A cached entry is not read again while nothing in its database
 * has changed. Access pattern X1.
 */
export class EntryReader extends Repository {
  readonly #entries = new CmsEntries(this.table, this);
  /** The databases whose versions `find` has read. */
  readonly versionsRead = new Set<string>();

  async find(modelId: string, id: string): Promise<StoredEntry | undefined> {
    if (!isRecordId(id)) return undefined;
    if (this.#entries.isRead(modelId, id)) return this.#entries.find(modelId, id);
    const cached = cachedEntry(this.table, this.workspaceId, modelId, id);
    this.versionsRead.add(modelId);
    const reading = readEntriesVersion(this.table, this, modelId);
    if (cached?.version !== undefined && cached.version === (await reading)) return cached.entry;
    const [version, entry] = await Promise.all([reading, this.#entries.find(modelId, id)]);
    const cacheable = cacheableVersion(this.table, this, modelId, version);
    return entry && cacheEntry(this.table, this.workspaceId, entry, cacheable);
  }

  /** Starts the reads of the versions that `find` will need. */
  async warmVersions(modelIds: readonly string[]): Promise<void> {
    await Promise.all(modelIds.map((modelId) => readEntriesVersion(this.table, this, modelId)));
  }
}

/**
 * The head of a related database's list. Every change of an entry is announced in it. So one small read shows whether
 * the cached entries of a container are current.
 */
interface EntriesHead extends CollectionHead {
  /** The time from which every update is announced. */
  readonly countsFrom?: string;
}

/** The current versions, and the time at which this process read them, on the clock of `Table.startedAt`. */
const versions = containerMemory.view<{ readonly version: string; readonly since: number }>();

/** @returns undefined while a change is under way, when no version is valid */
async function readEntriesVersion(
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
function cacheableVersion(
  table: Table,
  workspace: WorkspaceScope,
  modelId: string,
  current: string | undefined,
): string | undefined {
  const cached = versions.get(`${table.name} ${headKey(entryListScope(workspace, modelId)).pk}`);
  return cached && cached.version === current && cached.since < table.startedAt ? current : undefined;
}
