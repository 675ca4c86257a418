import { channelName } from '#lib/domain/channel.ts';
import { keys, type RecordKind } from '../keys.ts';
import type { Item } from '../schema.ts';
import type { Table } from '../table.ts';
import { type Stamped, withTimes } from './times.ts';

type Record = Stamped & {
  readonly id: string;
  readonly slug?: string;
  readonly identifier?: string;
  readonly type?: string;
};

/** The name a record is found by beside its id: its slug, or what no two channels share. */
function nameOf({ slug, identifier, type }: Record): string | undefined {
  return identifier !== undefined && type !== undefined ? channelName({ type, identifier }) : slug;
}

interface RecordChange {
  readonly item: Item;
  readonly pointer: Item | undefined;
}

/** Writes the records of a kind that is found by id, and by name where it has one. */
export class RecordWriter {
  readonly #table: Table;
  readonly #workspaceId: string;
  readonly #kind: RecordKind;
  readonly #importedAt: string;
  /** The names of the document's records, by id. */
  readonly #names = new Map<string, string | undefined>();

  constructor(table: Table, workspaceId: string, kind: RecordKind, importedAt: string) {
    this.#table = table;
    this.#workspaceId = workspaceId;
    this.#kind = kind;
    this.#importedAt = importedAt;
  }

  /** @returns how many of them were new or different */
  async write(records: readonly Record[]): Promise<number> {
    const reads = this.#table.fresh();
    const changes = await Promise.all(
      records.map(async (record) => {
        const key = keys.record(this.#workspaceId, this.#kind, record.id);
        const name = nameOf(record);
        const [stored, pointer] = await Promise.all([
          reads.get(key),
          name === undefined ? undefined : reads.get(keys.slug(this.#workspaceId, this.#kind, name)),
        ]);
        return this.#changeOf(record, stored?.['record'], pointer?.['id'] === record.id);
      }),
    );
    const changed = changes.filter((change) => change !== undefined);
    // Names first: a record must not be there without its name, which another record could then take.
    await this.#table.write(changed.flatMap(({ pointer }) => (pointer ? [{ put: pointer }] : [])));
    await this.#table.write(changed.map(({ item }) => ({ put: item })));
    return changed.length;
  }

  /** @returns how many records were removed because the document does not name them */
  async finish(prune: boolean): Promise<number> {
    const removed = prune ? await this.#removeUnnamed() : 0;
    await this.#removeFormerNames();
    return removed;
  }

  #changeOf(record: Record, storedText: unknown, isPointed: boolean): RecordChange | undefined {
    const stored = typeof storedText === 'string' ? (JSON.parse(storedText) as Record) : undefined;
    const name = nameOf(record);
    this.#names.set(record.id, name);
    const text = JSON.stringify(withTimes(this.#kind, record, stored, this.#importedAt));
    if (text === storedText && (name === undefined || isPointed)) return undefined;
    return {
      item: { ...keys.record(this.#workspaceId, this.#kind, record.id), record: text },
      pointer: name === undefined ? undefined : { ...keys.slug(this.#workspaceId, this.#kind, name), id: record.id },
    };
  }

  async #removeUnnamed(): Promise<number> {
    const gone: { readonly remove: Item }[] = [];
    const stored = { pk: keys.records(this.#workspaceId, this.#kind), only: ['pk', 'sk'] };
    for await (const item of this.#table.query(stored)) {
      if (!this.#names.has(item.sk)) gone.push({ remove: item });
    }
    await this.#table.write(gone);
    return gone.length;
  }

  /** Names that no record has any more, also those that an import that was stopped half-way has left. */
  async #removeFormerNames(): Promise<void> {
    const reads = this.#table.fresh();
    const pointers = await Array.fromAsync(this.#table.query({ pk: keys.slugs(this.#workspaceId, this.#kind) }));
    const former = await Promise.all(
      pointers.map(async (pointer) => {
        const id = String(pointer['id']);
        const name = this.#names.has(id) ? this.#names.get(id) : await this.#storedName(reads, id);
        return name === pointer.sk ? [] : [{ remove: pointer }];
      }),
    );
    await this.#table.write(former.flat());
  }

  async #storedName(reads: Table, id: string): Promise<string | undefined> {
    const item = await reads.get(keys.record(this.#workspaceId, this.#kind, id));
    return item && nameOf(JSON.parse(String(item['record'])) as Record);
  }
}
