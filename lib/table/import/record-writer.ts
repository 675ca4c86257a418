import { inGroups } from '#lib/domain/in-groups.ts';
import { storedBytes } from '#lib/domain/stored-size.ts';
import { isStill } from '../dynamodb/conditions.ts';
import { putAll, removeAll } from '../dynamodb/write-all.ts';
import { keys } from '../keys.ts';
import { newPageTags, writeFile } from '../messaging/conversation-files.ts';
import { isTransferable, type Named, namesOf } from '../record-names.ts';
import { referrersOf } from '../referrers.ts';
import { removeKey } from '../removals.ts';
import type { Item, Table, TransactItem } from '../table.ts';
import { endMarks, removeUnused } from '../writer/removal.ts';
import { repeatTransaction, repeatWrite, tryChange } from '../writer/repeat-write.ts';
import { type Stamped, withTimes } from '../writer/time-stamps.ts';
import { PlainWriter } from './ruled-writer.ts';

type ImportedRecord = Stamped & Named;

interface Change extends RecordWithNames {
  /** Whether it takes a name from another record, or gives one up to another. */
  readonly isExchange: boolean;
  readonly isNew: boolean;
}

const removedAtOnce = 25;

/** Writes the records of a kind that is found by id, and by its names if it has some. */
export class RecordWriter extends PlainWriter {
  /** The names of the document's records, by id. */
  readonly #names = new Map<string, readonly string[]>();
  /** Records by id that may take names from each other. They are written after all have been read. */
  readonly #exchanges = new Map<string, RecordWithNames>();

  /** @returns the number of new or different records */
  async write(records: readonly ImportedRecord[]): Promise<number> {
    const reads = this.table.uncached();
    const changes = await Promise.all(
      records.map(async (record) => {
        const key = keys.record(this.workspaceId, this.kind, record.id);
        const names = namesOf(this.kind, record);
        const [stored, ...pointers] = await Promise.all([
          reads.get(key),
          ...names.map((name) => reads.get(keys.slug(this.workspaceId, this.kind, name))),
        ]);
        return this.#changeOf(record, stored, pointers);
      }),
    );
    const changed = changes.filter((change) => change !== undefined);
    for (const change of changed) if (change.isExchange) this.#exchanges.set(change.item.sk, change);
    const missing = changed.flatMap(({ isNew, item }) => (isNew ? item.sk : []));
    await endMarks(this.table, this.workspaceId, this.kind, missing);
    const others = changed.filter(({ isExchange }) => !isExchange);
    // Names first: otherwise another record could take the name of a stored record.
    await putAll(
      this.table,
      others.flatMap((change) => change.names),
    );
    const items = others.map(({ item }) => item);
    const isShown = await Promise.all(items.map((item) => this.#isShown(reads, item)));
    await putAll(
      this.table,
      items.filter((_, index) => !isShown[index]),
    );
    const shown = items.filter((_, index) => isShown[index]);
    await Promise.all(shown.map((item) => this.#writeFile(item, { Put: { Item: item } })));
    return changed.length;
  }

  /** @returns the number of records that were removed because the document does not contain them */
  async finish(prune: boolean): Promise<number> {
    await reassignNames(this.table, this.#exchanges);
    const gone = prune ? await this.unnamed(this.#names, ['pk', 'sk', 'editedAt']) : [];
    const kept = await this.#remove(gone);
    await this.#removeFormerNames();
    return gone.length - kept.length;
  }

  /** @returns the ids of those that stay, because a conversation has begun to refer to them */
  async #remove(gone: readonly Item[]): Promise<string[]> {
    const { kind, workspaceId } = this;
    const kept: string[] = [];
    if (kind !== 'channel' && kind !== 'customer' && kind !== 'attachment') {
      await removeAll(this.table, gone);
      return kept;
    }
    for await (const some of inGroups(gone, removedAtOnce)) {
      const removals = some.map(async (item) => {
        if (kind === 'attachment') return this.#writeFile(item, removeKey(item));
        const parent = { kind, id: item.sk };
        const isUsed = async (reads: Table) => (await referrersOf(reads, { workspaceId }, parent, 1)).length > 0;
        const isGone = await removeUnused(this.table, { workspaceId }, parent, removeKey(item), isUsed);
        if (!isGone) kept.push(item.sk);
      });
      await Promise.all(removals);
    }
    this.concurrentEdits.stayInUse(kind, kept);
    return kept;
  }

  /** Whether messages show it. */
  #isShown = async (reads: Table, { sk }: Item): Promise<boolean> =>
    this.kind === 'attachment' && (await newPageTags(reads, { workspaceId: this.workspaceId }, sk)).length > 0;

  #writeFile = ({ sk }: Item, record: TransactItem): Promise<void> =>
    writeFile(this.table, { workspaceId: this.workspaceId }, sk, () => ({ record }));

  #changeOf(
    record: ImportedRecord,
    item: Item | undefined,
    pointers: readonly (Item | undefined)[],
  ): Change | undefined {
    const { id } = record;
    const storedText = item?.['record'];
    const stored = typeof storedText === 'string' ? (JSON.parse(storedText) as ImportedRecord) : undefined;
    const names = namesOf(this.kind, record);
    this.#names.set(id, names);
    const text = JSON.stringify(withTimes(record, stored, this.importedAt));
    if (text === storedText && pointers.every((pointer) => pointer?.['id'] === id)) return undefined;
    if (item && stored && this.concurrentEdits.keeps(this.kind, item, stored, record)) {
      this.#names.set(id, namesOf(this.kind, stored));
      return undefined;
    }
    const owners = new Set(pointers.flatMap((pointer) => (pointer ? [String(pointer['id'])] : [])));
    owners.delete(id);
    const leaves = stored !== undefined && namesOf(this.kind, stored).some((name) => !names.includes(name));
    return {
      item: { ...keys.record(this.workspaceId, this.kind, id), record: text },
      names: names.map((name) => ({ ...keys.slug(this.workspaceId, this.kind, name), id })),
      owners,
      isNew: item === undefined,
      isExchange: isTransferable(this.kind) && (leaves || owners.size > 0),
    };
  }

  /** Removes pointers of former names, including those that an interrupted import left. */
  async #removeFormerNames(): Promise<void> {
    await repeatWrite(this.table, {
      prepare: async () => inTransactions(await this.#removalsOfNames()),
      // The service may change one of the records in the meantime.
      isPreparedEachTime: true,
      write: async (transactions) => {
        for (const records of transactions) {
          const failure = await tryChange(this.table, { records });
          if (failure) return failure;
        }
        return undefined;
      },
    });
  }

  /** They fail if a record has changed since it was read. */
  async #removalsOfNames(): Promise<TransactItem[][]> {
    const reads = this.table.uncached();
    const unnamed: Item[] = [];
    for await (const pointer of this.table.query({ pk: keys.slugs(this.workspaceId, this.kind) })) {
      if (!this.#names.get(String(pointer['id']))?.includes(pointer.sk)) unnamed.push(pointer);
    }
    const removals = [...Map.groupBy(unnamed, ({ id }) => String(id))].map(async ([id, own]) => {
      // The service may have given the record more names since the import wrote it.
      const key = keys.record(this.workspaceId, this.kind, id);
      const text = (await reads.get(key))?.['record'];
      const names = typeof text === 'string' ? namesOf(this.kind, JSON.parse(text) as ImportedRecord) : [];
      const former = own.filter(({ sk }) => !names.includes(sk));
      const isUnchanged = { ConditionCheck: { Key: key, ...isStill('record', text) } };
      return former.length > 0 ? [[isUnchanged, ...former.map(({ pk, sk }) => ({ Delete: { Key: { pk, sk } } }))]] : [];
    });
    return (await Promise.all(removals)).flat();
  }
}

/** A record that is written together with its names. */
interface RecordWithNames {
  readonly item: Item;
  readonly names: readonly Item[];
  /** The ids of the records that now have these names. */
  readonly owners: ReadonlySet<string>;
}

/**
 * Writes records that take names from each other. Connected records are written in one transaction, so that each name
 * always points to a record that has it. If they do not fit, they are written one after the other.
 */
async function reassignNames(table: Table, changes: ReadonlyMap<string, RecordWithNames>): Promise<void> {
  const groups = connected(changes).flatMap((ids) => {
    const writes = ids.map((id) => writesOf(changes.get(id) as RecordWithNames));
    return inTransactions(writes).length === 1 ? [writes.flat()] : writes;
  });
  for (const records of inTransactions(groups)) await repeatTransaction(table, { records });
}

const writesOf = ({ item, names }: RecordWithNames): TransactItem[] =>
  [...names, item].map((put) => ({ Put: { Item: put } }));

/** Groups the ids of changes that take names from each other. */
function connected(changes: ReadonlyMap<string, RecordWithNames>): string[][] {
  const neighbours = new Map([...changes.keys()].map((id) => [id, new Set<string>()]));
  for (const [id, { owners }] of changes) {
    for (const owner of owners) {
      neighbours.get(owner)?.add(id);
      if (changes.has(owner)) neighbours.get(id)?.add(owner);
    }
  }
  const left = new Set(changes.keys());
  return [...left].flatMap((start) => {
    const group = left.delete(start) ? [start] : [];
    for (const id of group) for (const next of neighbours.get(id) ?? []) if (left.delete(next)) group.push(next);
    return group.length > 0 ? [group] : [];
  });
}

const itemsMax = 100;
/** DynamoDB accepts 4 MB, and its size is slightly larger than that of the items. */
const bytesMax = 3 * 1_048_576;

/** Packs groups of writes into transactions. The writes of one group stay together. */
function inTransactions(groups: readonly (readonly TransactItem[])[]): TransactItem[][] {
  const transactions: TransactItem[][] = [];
  let items: TransactItem[] = [];
  let bytes = 0;
  for (const group of groups) {
    const groupBytes = storedBytes(group);
    if (items.length > 0 && (items.length + group.length > itemsMax || bytes + groupBytes > bytesMax)) {
      transactions.push(items);
      items = [];
      bytes = 0;
    }
    items.push(...group);
    bytes += groupBytes;
  }
  return items.length > 0 ? [...transactions, items] : transactions;
}
