import { isRecordId } from '#lib/domain/identifier.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { storedBytes } from '#lib/domain/stored-size.ts';
import { CmsEntries } from './cms-entries.ts';
import { cacheableVersion, readEntriesVersion } from './entries-version.ts';
import { containerMemory } from './memory/container-memory.ts';
import type { StoredEntry } from './stored-entry.ts';
import type { Table } from './table.ts';

interface KnownEntry {
  readonly entry: StoredEntry;
  /** That of its database, under which it is known to be as it is. */
  readonly version: string | undefined;
}

/** Shared by the requests that show them; nobody may change one. */
const knownEntries = containerMemory.view<KnownEntry>();

/**
 * The CMS entries of one workspace for who shows them with others. While one stays as it is, every request gets the
 * same object, and while nothing has changed in its database, it is not read. Access pattern X1.
 */
export class RelatedEntries {
  readonly #table: Table;
  readonly #scope: WorkspaceScope;
  readonly #entries: CmsEntries;
  /** The databases whose versions `find` has needed. */
  readonly versionsRead = new Set<string>();

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
    this.versionsRead.add(modelId);
    const reading = readEntriesVersion(this.#table, this.#scope, modelId);
    if (known?.version !== undefined && known.version === (await reading)) return known.entry;
    const [version, entry] = await Promise.all([reading, this.#entries.find(modelId, id)]);
    if (!entry) return undefined;
    const covering = cacheableVersion(this.#table, this.#scope, modelId, version);
    // Bytes in memory are about twice those in the table.
    if (entry !== known?.entry || covering !== known.version) {
      knownEntries.set(address, { entry, version: covering }, 2 * storedBytes(entry), entry);
    }
    return entry;
  }

  /** Starts reading the versions of databases, so that `find` has them at hand. */
  async warmVersions(modelIds: readonly string[]): Promise<void> {
    await Promise.all(modelIds.map((modelId) => readEntriesVersion(this.#table, this.#scope, modelId)));
  }

  #address = (modelId: string, id: string) => `${this.#table.name}#${this.#scope.workspaceId}#${modelId}#${id}`;
}
