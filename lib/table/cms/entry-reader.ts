import { isRecordId } from '#lib/domain/text/identifier.ts';
import { cmsCollection } from '../keys.ts';
import { type ChangeLog, changesOf, hasChange, isImporting } from '../log/change-log.ts';
import { readLog } from '../log/read-log.ts';
import { Repository } from '../repository.ts';
import { CmsEntries } from './cms-entries.ts';
import { type CachedEntry, cachedEntry, cacheEntry } from './entry-cache.ts';
import type { StoredEntry } from './stored-entry.ts';

/**
 * Reads entries that other entries show as relations. A cached entry is not read again until the log names it. Access
 * pattern X2.
 */
export class EntryReader extends Repository {
  readonly #entries = new CmsEntries(this.table, this);

  async find(modelId: string, id: string): Promise<StoredEntry | undefined> {
    if (!isRecordId(id)) return undefined;
    if (this.#entries.isRead(modelId, id)) return this.#entries.find(modelId, id);
    // Before the entry is read, so that every later change is after this end of the log.
    const log = await readLog(this.table, this);
    const cached = cachedEntry(this.table, this.workspaceId, modelId, id);
    if (cached && isCurrent(cached, log)) return cached.entry;
    const readAt = Date.now();
    const entry = await this.#entries.find(modelId, id);
    if (!entry || isImporting(log.state, cmsCollection(modelId))) return entry;
    const { view, state } = log;
    return cacheEntry(this.table, this.workspaceId, entry, { view, imported: state.imported, readAt });
  }
}

function isCurrent({ entry, read }: CachedEntry, log: ChangeLog): boolean {
  const { modelId, id, revision } = entry;
  if (read?.view !== log.view || read.imported !== log.state.imported) return false;
  if (isImporting(log.state, cmsCollection(modelId))) return false;
  const changes = changesOf(log, { kind: 'cmsEntry', modelId, id });
  return changes.every((change) => hasChange(change, changes, { revision, readAt: read.readAt }));
}
