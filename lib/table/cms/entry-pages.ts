import { started } from '#lib/domain/started.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { repeatStaleRead, StaleRead } from '../collection/head.ts';
import { keys } from '../keys.ts';
import { Repository } from '../table.ts';
import { cacheEntry } from './cms-entries.ts';
import { type EntryList, entryListLastSeen, type ListedRows, readEntryList } from './entry-list.ts';
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

/** The range of a page may contain other entries. If there are more than this, the page's entries are read by key. */
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
      sortKeys.map(async (sk) => {
        const entry = (await this.table.get({ pk, sk })) as StoredEntry | undefined;
        if (!entry) throw new StaleRead();
        const shown = cacheEntry(this.table, this.workspaceId, entry);
        this.table.prime(shown, shown);
        return shown;
      }),
    );
  }

  async #page(modelId: string, query: PageQuery, isStrict: boolean): Promise<EntryPage> {
    started(this.#readAhead(modelId, query));
    const { published } = query;
    const list = await readEntryList(this.table, this, modelId);
    const { total, rows, isLast } = await pageOf(list, query);
    await this.#readItems(modelId, rows);
    const entries = (await this.at(modelId, rows.rows.map(sortKeyOf))).reverse();
    const fitting = entries.filter((entry) => published === undefined || entry.published === published);
    // While an import writes, an entry may be newer than its row.
    if (isStrict && fitting.length < entries.length && list.state.isExact) throw new StaleRead();
    const [last] = rows.rows;
    return { total, entries: fitting, lastKey: last && sortKeyOf(last), isLast };
  }

  /** Reads the page by the cached list, in parallel with the end of the log. */
  async #readAhead(modelId: string, query: PageQuery): Promise<void> {
    const list = query.after === undefined ? await entryListLastSeen(this.table, this, modelId) : undefined;
    if (list) await this.#readItems(modelId, (await pageOf(list, query)).rows);
  }

  /** Reads the items of rows into the cache of the request: one range, unless it has too many other entries. */
  async #readItems(modelId: string, { rows, unlisted }: ListedRows): Promise<void> {
    const pk = keys.cmsEntries(this.workspaceId, modelId);
    const sortKeys = rows.map(sortKeyOf);
    const [from, to] = [sortKeys[0], sortKeys.at(-1)];
    if (from === undefined || to === undefined) return;
    if (unlisted > unlistedMax) await Promise.all(sortKeys.map((sk) => this.table.get({ pk, sk })));
    else {
      const items = await this.table.range({ pk, from, to, atMost: rows.length + unlistedMax });
      for (const item of items) this.table.prime(item, item);
    }
  }
}

/** The rows of a page, oldest first. @throws StaleRead */
async function pageOf(list: EntryList, { offset, limit, published, after }: PageQuery) {
  const total = list.totalOf(published);
  const end = Math.max(0, after === undefined ? total - offset : await list.countBefore(published, after));
  const start = Math.max(0, end - limit);
  return { total, rows: await list.rowsOf(published, start, end), isLast: start === 0 };
}
