import { isRecordId } from '#lib/domain/identifier.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { storedBytes } from '#lib/domain/stored-size.ts';
import { BoundedCache } from './bounded-cache.ts';
import { CmsEntries } from './cms-entries.ts';
import { coveringVersion, readEntriesVersion } from './entries-version.ts';
import type { EntryAddress, StoredEntry } from './stored-entry.ts';
import type { Table } from './table.ts';

interface KnownEntry {
  readonly entry: StoredEntry;
  /** That of its database, under which it is known to be as it is. */
  readonly version: string | undefined;
}

/** Shared by the requests that show them; nobody may change one. */
const knownBytesMax = 24 * 1024 * 1024;
const knownEntries = new BoundedCache<KnownEntry>(knownBytesMax);
const ignored = () => undefined;

/**
 * The CMS entries of one workspace for who shows them with others. While one stays as it is, every request gets the
 * same object, and while nothing has changed in its database, it is not read. Access pattern C3.
 */
export class RelatedEntries {
  readonly #table: Table;
  readonly #scope: WorkspaceScope;
  readonly #entries: CmsEntries;

  constructor(table: Table, { workspaceId }: WorkspaceScope) {
    this.#table = table;
    this.#scope = { workspaceId };
    this.#entries = new CmsEntries(table, this.#scope);
  }

  async find(modelId: string, id: string): Promise<StoredEntry | undefined> {
    if (!isRecordId(id)) return undefined;
    if (this.#entries.isRead(modelId, id)) return this.#entries.find(modelId, id);
    const address = this.#address(modelId, id);
    const known = knownEntries.get(address);
    const reading = readEntriesVersion(this.#table, this.#scope, modelId);
    if (known?.version !== undefined && known.version === (await reading)) return known.entry;
    const [version, entry] = await Promise.all([reading, this.#read(modelId, id, known?.entry)]);
    if (!entry) return undefined;
    const covering = coveringVersion(this.#table, this.#scope, modelId, version);
    // Bytes in memory are about twice those in the table.
    if (entry !== known?.entry || covering !== known.version) {
      knownEntries.set(address, { entry, version: covering }, 2 * storedBytes(entry));
    }
    return entry;
  }

  /** Starts to see whether entries that were shown before are as they were. */
  prefetch(entries: readonly EntryAddress[]): void {
    for (const [modelId, group] of Map.groupBy(entries, (entry) => entry.modelId)) {
      const known = group.filter(({ id }) => this.#versionOf(modelId, id) !== undefined);
      this.#prefetchChanged(modelId, known).catch(ignored);
      const unknown = group.filter(({ id }) => this.#versionOf(modelId, id) === undefined);
      for (const { id } of unknown) this.find(modelId, id).catch(ignored);
    }
  }

  /** Reads those again that are not of the database's version. */
  async #prefetchChanged(modelId: string, entries: readonly EntryAddress[]): Promise<void> {
    if (entries.length === 0) return;
    const version = await readEntriesVersion(this.#table, this.#scope, modelId);
    const changed = entries.filter(({ id }) => this.#versionOf(modelId, id) !== version);
    await Promise.all(changed.map(({ id }) => this.find(modelId, id)));
  }

  /** An earlier reading of it is given back while it stands. */
  async #read(modelId: string, id: string, known: StoredEntry | undefined): Promise<StoredEntry | undefined> {
    const kept = known && ((await this.#table.getKnown(known)) as StoredEntry | undefined);
    return kept ?? this.#entries.find(modelId, id);
  }

  #versionOf = (modelId: string, id: string) => knownEntries.get(this.#address(modelId, id))?.version;
  #address = (modelId: string, id: string) => `${this.#scope.workspaceId}#${modelId}#${id}`;
}
