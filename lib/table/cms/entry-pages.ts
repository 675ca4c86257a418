import { started } from '#lib/domain/started.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { repeatStaleRead, StaleRead } from '../collection/stale-read.ts';
import { keys } from '../keys.ts';
import { Repository } from '../repository.ts';
import type { Item } from '../schema.ts';
import { cacheEntry } from './cms-entries.ts';
import { entryListLastSeen, type ListedRows, readEntryList } from './entry-list.ts';
import { sortKeyOf } from './entry-row.ts';
import type { StoredEntry } from './stored-entry.ts';

export interface EntryPage {
  readonly total: number;
  /** Position of the page's last entry in the list. */
  readonly lastKey: string | undefined;
  readonly isLast: boolean;
  readonly entries: StoredEntry[];
}

interface PageQuery {
  readonly offset: number;
  readonly limit: number;
  /** The `lastKey` of the previous page, instead of an offset. */
  readonly after?: string | undefined;
  /** Whether to read only published or only unpublished entries. @default all */
  readonly published?: boolean | undefined;
}

/**
 * The range of a page may contain other entries: new ones of an import, or ones that the query excludes. If there are
 * more than this, the page's entries are read by key.
 */
const unlistedMax = 50;

/** The CMS entries of one workspace, as pages of lists. */
export class EntryPages extends Repository {
  /**
   * A page, newest first. The total and the order come from the list's index, the entries from one contiguous range.
   */
  async page(modelId: string, query: PageQuery): Promise<EntryPage> {
    if (!isRecordId(modelId)) return { total: 0, entries: [], lastKey: undefined, isLast: true };
    return repeatStaleRead(this.table, (isStrict) => this.#page(modelId, query, isStrict));
  }

  /** The entries with these sort keys, in the same order. @throws StaleRead if one of them no longer exists */
  at(modelId: string, sortKeys: readonly string[]): Promise<StoredEntry[]> {
    const pk = keys.cmsEntries(this.workspaceId, modelId);
    return Promise.all(
      sortKeys.map(async (sk) => this.#shown((await this.table.get({ pk, sk })) as StoredEntry | undefined)),
    );
  }

  async #page(modelId: string, query: PageQuery, isStrict: boolean): Promise<EntryPage> {
    started(this.#readAhead(modelId, query));
    const { limit, published, after } = query;
    const list = await readEntryList(this.table, this, modelId);
    const total = list.totalOf(published);
    const end = after === undefined ? total - query.offset : await list.countBefore(published, after);
    const count = Math.min(limit, end);
    if (count <= 0) return { total, entries: [], lastKey: undefined, isLast: true };
    const rows = await list.rowsOf(published, end - count, end);
    const entries = await this.#entriesOf(modelId, rows);
    const fitting = entries.filter((entry) => published === undefined || entry.published === published);
    // While an import writes, an entry may be newer than its row.
    if (isStrict && fitting.length < entries.length && list.state.isExact) throw new StaleRead();
    const [last] = rows.rows;
    return { total, entries: fitting, lastKey: last && sortKeyOf(last), isLast: count === end };
  }

  /** Reads the page by the cached rows, in parallel with the end of the log. */
  async #readAhead(modelId: string, { offset, limit, published, after }: PageQuery): Promise<void> {
    if (after !== undefined) return;
    const list = entryListLastSeen(this.table, this, modelId);
    const total = list?.totalOf(published) ?? 0;
    const count = Math.min(limit, total - offset);
    if (!list || count <= 0) return;
    const rows = list.cachedRowsOf(published, total - offset - count, total - offset);
    if (rows) await this.#itemsOf(modelId, rows);
  }

  /** Newest first. @throws StaleRead if one of them no longer exists */
  async #entriesOf(modelId: string, listed: ListedRows): Promise<StoredEntry[]> {
    const items = await this.#itemsOf(modelId, listed);
    const found = new Map(items.map((item) => [item.sk, item as StoredEntry]));
    const pk = keys.cmsEntries(this.workspaceId, modelId);
    const entries = await Promise.all(
      listed.rows.map(sortKeyOf).map(async (sk) => {
        return this.#shown(found.get(sk) ?? ((await this.table.get({ pk, sk })) as StoredEntry | undefined));
      }),
    );
    return entries.reverse();
  }

  /** @throws StaleRead if the entry no longer exists */
  #shown(entry: StoredEntry | undefined): StoredEntry {
    if (!entry) throw new StaleRead();
    const shown = cacheEntry(this.table, this.workspaceId, entry);
    this.table.prime(shown);
    return shown;
  }

  /** Reads one range, unless it contains too many other entries. */
  async #itemsOf(modelId: string, { rows, unlisted }: ListedRows): Promise<Item[]> {
    const pk = keys.cmsEntries(this.workspaceId, modelId);
    const sortKeys = rows.map(sortKeyOf);
    if (unlisted > unlistedMax) {
      const items = await Promise.all(sortKeys.map((sk) => this.table.get({ pk, sk })));
      return items.filter((item) => item !== undefined);
    }
    const atMost = rows.length + unlistedMax;
    return this.table.range({ pk, from: sortKeys[0] ?? '', to: sortKeys.at(-1) ?? '', atMost });
  }
}
