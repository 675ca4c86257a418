import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import type { Table } from '../table.ts';
import { CmsEntries } from './cms-entries.ts';
import { cacheableVersion, readEntriesVersion } from './entries-version.ts';
import { cachedEntry, cacheEntry } from './entry-cache.ts';
import type { StoredEntry } from './stored-entry.ts';

/**
 * Reads entries that other entries show as relations. A cached entry is not read again while nothing in its database
 * has changed. Access pattern X1.
 */
export class EntryReader {
  readonly #table: Table;
  readonly #scope: WorkspaceScope;
  readonly #entries: CmsEntries;
  /** The databases whose versions `find` has read. */
  readonly versionsRead = new Set<string>();

  constructor(table: Table, { workspaceId }: WorkspaceScope) {
    this.#table = table;
    this.#scope = { workspaceId };
    this.#entries = new CmsEntries(table, this.#scope);
  }

  async find(modelId: string, id: string): Promise<StoredEntry | undefined> {
    if (!isRecordId(id)) return undefined;
    if (this.#entries.isRead(modelId, id)) return this.#entries.find(modelId, id);
    const cached = cachedEntry(this.#table, this.#scope.workspaceId, modelId, id);
    this.versionsRead.add(modelId);
    const reading = readEntriesVersion(this.#table, this.#scope, modelId);
    if (cached?.version !== undefined && cached.version === (await reading)) return cached.entry;
    const [version, entry] = await Promise.all([reading, this.#entries.find(modelId, id)]);
    const cacheable = cacheableVersion(this.#table, this.#scope, modelId, version);
    return entry && cacheEntry(this.#table, this.#scope.workspaceId, entry, cacheable);
  }

  /** Starts the reads of the versions that `find` will need. */
  async warmVersions(modelIds: readonly string[]): Promise<void> {
    await Promise.all(modelIds.map((modelId) => readEntriesVersion(this.#table, this.#scope, modelId)));
  }
}
