import { inGroups } from '#lib/domain/in-groups.ts';
import { storedBytes } from '#lib/domain/stored-size.ts';
import { isStill } from '../dynamodb/conditions.ts';
import { putAll } from '../dynamodb/write-all.ts';
import { keys } from '../keys.ts';
import { newPageTags } from '../messaging/conversation-files.ts';
import { isTransferable, type Named, namesOf } from '../record-names.ts';
import { referrersOf } from '../referrers.ts';
import { removeKey } from '../removals.ts';
import { type Item, type Key, recordOf, type Table, type TransactItem, type Writes } from '../table.ts';
import { endMarks, removeUnused } from '../writer/removal.ts';
import { repeatWrite, tryChange } from '../writer/repeat-write.ts';
import { type Stamped, withTimes } from '../writer/time-stamps.ts';
import { PlainWriter } from './ruled-writer.ts';

type ImportedRecord = Stamped & Named;

interface Change {
  readonly record: ImportedRecord;
  readonly stored: Item | undefined;
  readonly item: Item;
  readonly names: readonly { readonly item: Item; readonly pointer: Item | undefined }[];
  /** Former names that lead to it. */
  readonly former: readonly Key[];
  /** The ids of the records that now have its names. */
  readonly owners: readonly string[];
  /** New tags for the pages of messages that show a file. */
  readonly pages: readonly TransactItem[];
}

const removedAtOnce = 25;

/** Writes the records of a kind that is found by id, and by its names if it has some. */
export class RecordWriter extends PlainWriter {
  /** Changes that may take names from each other. They are written after all have been read. */
  readonly #exchanges: Change[] = [];

  /** @returns the number of new or different records */
  async write(records: readonly ImportedRecord[]): Promise<number> {
    for (const { id } of records) this.ids.add(id);
    const reads = this.table.uncached();
    const changes = await Promise.all(records.map((record) => this.#changeOf(reads, record)));
    const changed = changes.filter((change) => change !== undefined);
    const missing = changed.flatMap(({ stored, item }) => (stored ? [] : item.sk));
    await endMarks(this.table, this.workspaceId, this.kind, missing);
    const {
      plain = [],
      alone = [],
      exchange = [],
    } = Object.groupBy(changed, ({ former, owners, pages }) => {
      if (isTransferable(this.kind) && former.length + owners.length > 0) return 'exchange';
      return former.length + pages.length > 0 ? 'alone' : 'plain';
    });
    this.#exchanges.push(...exchange);
    // Names first: otherwise another record could take the name of a stored record.
    await putAll(
      this.table,
      plain.flatMap(({ names }) => names.map(({ item }) => item)),
    );
    await putAll(
      this.table,
      plain.map(({ item }) => item),
    );
    await Promise.all(alone.map((change) => this.#writeTogether([change])));
    return changed.length;
  }

  /** @returns the number of records that were removed because the document does not contain them */
  async finish(prune: boolean): Promise<number> {
    for (const group of connected(this.#exchanges)) {
      const isOne = hasRoom(writesOf(group));
      for (const some of isOne ? [group] : group.map((change) => [change])) await this.#writeTogether(some);
    }
    let removed = 0;
    for await (const some of inGroups(prune ? this.unnamed() : [], removedAtOnce)) {
      const isGone = await Promise.all(some.map((item) => this.#remove(item)));
      const kept = some.filter((_, index) => !isGone[index]);
      this.concurrentEdits.stayInUse(
        this.kind,
        kept.map(({ sk }) => sk),
      );
      removed += some.length - kept.length;
    }
    return removed;
  }

  /** Writes some records in one transaction, so that each name always leads to a record that has it. */
  #writeTogether = (changes: readonly Change[]): Promise<void> =>
    this.#transact(async (reads) => {
      const again = await Promise.all(changes.map(({ record }) => this.#changeOf(reads, record)));
      return { records: writesOf(again.filter((change) => change !== undefined)) };
    });

  /** @returns false if it stays, because a conversation has begun to refer to it */
  async #remove(item: Item): Promise<boolean> {
    const { kind, workspaceId } = this;
    const removal = async (reads: Table): Promise<TransactItem[]> => {
      const names = await this.#ownNames(reads, item.sk, namesOf(kind, recordOf<Named>(item)));
      return [item, ...names].map(removeKey);
    };
    if (kind === 'channel' || kind === 'customer') {
      const parent = { kind, id: item.sk };
      const isUsed = async (reads: Table) => (await referrersOf(reads, { workspaceId }, parent, 1)).length > 0;
      return removeUnused(this.table, { workspaceId }, parent, await removal(this.table.uncached()), isUsed);
    }
    await this.#transact(async (reads) => ({ record: await removal(reads), pages: await this.#pages(reads, item.sk) }));
    return true;
  }

  /** @param prepare makes the writes, again if one of their conditions fails */
  #transact = (prepare: (reads: Table) => Promise<Writes>): Promise<void> =>
    repeatWrite<Writes, undefined>(this.table, {
      prepare: () => prepare(this.table.uncached()),
      write: (writes) => tryChange(this.table, writes),
    });

  /** @returns undefined if the stored record is the same, or an edit that stays */
  async #changeOf(reads: Table, record: ImportedRecord): Promise<Change | undefined> {
    const { kind } = this;
    const { id } = record;
    const key = keys.record(this.workspaceId, kind, id);
    const newNames = namesOf(kind, record);
    const [stored, names] = await Promise.all([reads.get(key), this.#pointers(reads, newNames)]);
    const before = stored && recordOf<ImportedRecord>(stored);
    const text = JSON.stringify(withTimes(record, before, this.importedAt));
    const owners = names.flatMap(({ pointer }) => (pointer && pointer['id'] !== id ? String(pointer['id']) : []));
    const isNamed = owners.length === 0 && names.every(({ pointer }) => pointer);
    if (text === stored?.['record'] && isNamed) return undefined;
    if (stored && before && this.concurrentEdits.keeps(kind, stored, before, record)) return undefined;
    const left = before ? namesOf(kind, before).filter((name) => !newNames.includes(name)) : [];
    return {
      record,
      stored,
      item: { ...key, record: text },
      names: names.map(({ key: name, pointer }) => ({ item: { ...name, id }, pointer })),
      former: await this.#ownNames(reads, id, left),
      owners,
      pages: await this.#pages(reads, id),
    };
  }

  #pointers = (reads: Table, names: readonly string[]) =>
    Promise.all(
      names.map(async (name) => {
        const key = keys.slug(this.workspaceId, this.kind, name);
        return { key, pointer: await reads.get(key) };
      }),
    );

  /** Names that still lead to the record, and not to another one that has taken them. */
  async #ownNames(reads: Table, id: string, names: readonly string[]): Promise<Key[]> {
    const pointers = await this.#pointers(reads, names);
    return pointers.flatMap(({ key, pointer }) => (pointer?.['id'] === id ? key : []));
  }

  #pages = async (reads: Table, id: string): Promise<TransactItem[]> =>
    this.kind === 'attachment' ? newPageTags(reads, { workspaceId: this.workspaceId }, id) : [];
}

/** The writes of records that may take names from each other. */
function writesOf(changes: readonly Change[]): TransactItem[] {
  const named = new Set(changes.flatMap(({ names }) => names.map(({ item }) => item.sk)));
  // A page may show several of the files.
  const pages = new Map(changes.flatMap((change) => change.pages.map((page) => [page.Update?.Key?.['sk'], page])));
  const writes = changes.flatMap(({ stored, item, names, former }): TransactItem[] => [
    { Put: { Item: item, ...isStill('record', stored?.['record']) } },
    ...names.map(({ item: name, pointer }) => ({ Put: { Item: name, ...isStill('id', pointer?.['id']) } })),
    ...former.filter(({ sk }) => !named.has(sk)).map((name) => ({ Delete: { Key: name, ...isStill('id', item.sk) } })),
  ]);
  return [...writes, ...pages.values()];
}

const itemsMax = 100;
/** DynamoDB accepts 4 MB, and its size is slightly larger than that of the items. */
const bytesMax = 3 * 1_048_576;
const hasRoom = (items: readonly TransactItem[]): boolean => items.length <= itemsMax && storedBytes(items) <= bytesMax;

/** Groups changes that take names from each other. */
function connected(changes: readonly Change[]): Change[][] {
  const groups = new Map<string, ReadonlySet<string>>();
  for (const { record, owners } of changes) {
    const group = new Set([record.id, ...owners].flatMap((id) => [id, ...(groups.get(id) ?? [])]));
    for (const id of group) groups.set(id, group);
  }
  const byId = new Map(changes.map((change) => [change.record.id, change]));
  return [...new Set(groups.values())].map((ids) => [...ids].flatMap((id) => byId.get(id) ?? []));
}
