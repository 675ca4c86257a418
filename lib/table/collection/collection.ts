import { createHash } from 'node:crypto';
import {
  type ChangeLog,
  changesOf,
  isImporting,
  type LoggedChange,
  type LoggedRecord,
  recordAddress,
  shownChanges,
} from '../log/change-log.ts';
import { readLog } from '../log/read-log.ts';
import { containerMemory, textBytes } from '../memory/container-memory.ts';
import { type Loaded, VersionedCache } from '../memory/versioned.ts';
import type { Table } from '../table.ts';
import { type CollectionHead, type CollectionScope, headKey, readHead, StaleRead } from './head.ts';

export interface StoredRow<Row> {
  /** The revision of the record; null if it does not exist. */
  readonly revision: string | null;
  /** Undefined if the collection has no row for the record. */
  readonly row: Row | undefined;
}

interface Load<Base, Scope> {
  readonly table: Table;
  readonly scope: Scope;
  readonly head: CollectionHead;
  /** An earlier base. Most of its parts can usually be reused. */
  readonly previous: Base | undefined;
}

/** How a kind of collection is read and cached. */
export interface CollectionSpec<Base extends object, Row, Scope extends CollectionScope = CollectionScope> {
  /** Reads the rows of the head's directory, if it has one. It makes room in the memory as soon as it knows their size. */
  readonly loadBase: (load: Load<Base, Scope>) => Promise<Loaded<Base>>;
  readonly concerns: (change: LoggedChange, scope: Scope, base: Base) => boolean;
  readonly readRow: (table: Table, scope: Scope, change: LoggedChange, base: Base) => Promise<StoredRow<Row>>;
  /** The address of a changed record within the collection. */
  readonly addressOf: (change: LoggedRecord) => string;
  /** The approximate size of a changed row in memory, in bytes. */
  readonly rowBytes: number;
}

/** The current rows of a collection: those of a base, in which changed records replace their former rows. */
export interface CollectionState<Base extends object, Row> {
  readonly head: CollectionHead;
  readonly base: Base;
  /** Rows by the address of their record; undefined if the record has no row any more. */
  readonly changed: ReadonlyMap<string, Row | undefined>;
  /** The revisions of the same rows, as they were read. */
  readonly revisions: ReadonlyMap<string, string | null>;
  /** The ids of the changes that these rows certainly include. The records of all others are read again. */
  readonly applied: ReadonlySet<string>;
  /** Identifies the base and the revisions. Exact states with the same tag have the same rows. */
  readonly tag: string;
  /** Whether the tag identifies the rows exactly. It does not while an import writes. */
  readonly isExact: boolean;
}

interface CachedState<Base extends object, Row> {
  readonly state: CollectionState<Base, Row>;
  readonly view: object;
  /** The changes that were known, if the state includes all of them. */
  readonly changes: readonly LoggedChange[] | undefined;
  /** The size of the changes in memory, without the base. */
  readonly bytes: number;
}

/**
 * Reads a collection: its base, and the records that the log names. A warm container reads only the end of the log, and
 * the records in it that are new. So rows always agree with the records.
 */
export class Collection<Base extends object, Row, Scope extends CollectionScope = CollectionScope> {
  readonly #spec: CollectionSpec<Base, Row, Scope>;
  readonly #bases = new VersionedCache<Base>();
  /** The last state of each base. It is evicted with its base, and its size is added to the base's. */
  readonly #cachedStates = new WeakMap<Base, CachedState<Base, Row>>();

  constructor(spec: CollectionSpec<Base, Row, Scope>) {
    this.#spec = spec;
  }

  /** @throws StaleRead when an import or a compaction has replaced the base in between */
  async read(table: Table, scope: Scope): Promise<CollectionState<Base, Row>> {
    const log = await readLog(table, scope);
    const head = await readHead(table, scope, log);
    const version = `${head.base} ${scope.variant ?? ''}`;
    const base = await this.#bases.read(addressOf(table, scope), version, (previous) =>
      this.#spec.loadBase({ table, scope, head, previous }),
    );
    const cached = this.#cachedStates.get(base);
    const isExact = !isImporting(log.state, scope.collection);
    const isContinued = isExact && cached?.state.isExact && cached.view === log.view;
    if (isContinued && cached.changes === log.changes) return cached.state;
    const unchanged = { changed: new Map(), revisions: new Map(), applied: new Set<string>() };
    const before = isContinued ? cached.state : { ...unchanged, head, base, tag: tagOf(head, new Map()), isExact };
    const { state, isWhole } = await this.#apply(table, scope, head, log, before);
    this.#cache(state, log, isWhole);
    return state;
  }

  /** The cached state, which may be outdated: a hint for the next read. It must not be shown. */
  lastSeen(table: Table, scope: Scope): CollectionState<Base, Row> | undefined {
    const base = this.#bases.lastSeen(addressOf(table, scope));
    return base && this.#cachedStates.get(base)?.state;
  }

  #cache(state: CollectionState<Base, Row>, { view, changes }: ChangeLog, isWhole: boolean): void {
    const bytes =
      state.changed.size * this.#spec.rowBytes + [...state.applied].reduce((sum, id) => sum + textBytes(id), 0);
    containerMemory.addBytes(state.base, bytes - (this.#cachedStates.get(state.base)?.bytes ?? 0));
    this.#cachedStates.set(state.base, { state, view, changes: isWhole ? changes : undefined, bytes });
  }

  /** Reads the records of new changes, and puts their rows in place of the former ones. */
  async #apply(table: Table, scope: Scope, head: CollectionHead, log: ChangeLog, before: CollectionState<Base, Row>) {
    const { concerns, addressOf } = this.#spec;
    const isNew = ({ sk }: LoggedChange) => !before.applied.has(sk);
    const changes = log.changes.filter((change) => isNew(change) && concerns(change, scope, before.base));
    const readAt = Date.now();
    const read = await this.#readRows(table, scope, head, before, changes);
    const included = [...Map.groupBy(changes, recordAddress).values()].flatMap((ofRecord) => {
      const [first] = ofRecord as [LoggedChange];
      const { revision = null } = read.get(addressOf(first)) ?? {};
      return ofRecord.filter(shownChanges(changesOf(log, first), { revision, readAt }));
    });
    const isWhole = included.length === changes.length;
    const isSame = [...read].every(([at, { revision }]) => before.revisions.get(at) === revision);
    if (isSame && included.length === 0) return { state: before, isWhole };
    const applied = new Set([...before.applied, ...included.map(({ sk }) => sk)]);
    const changed = new Map([...before.changed, ...[...read].map(([at, { row }]) => [at, row] as const)]);
    const revisions = new Map([...before.revisions, ...[...read].map(([at, { revision }]) => [at, revision] as const)]);
    return { state: { ...before, head, changed, revisions, applied, tag: tagOf(head, revisions) }, isWhole };
  }

  /** Reads each changed record once, after the log. */
  async #readRows(
    table: Table,
    scope: Scope,
    head: CollectionHead,
    { base, isExact }: CollectionState<Base, Row>,
    changes: readonly LoggedChange[],
  ) {
    const reads = table.uncached();
    const byAddress = Map.groupBy(changes, this.#spec.addressOf);
    const rows = [...byAddress].map(
      async ([address, ofRecord]) =>
        [address, await this.#spec.readRow(reads, scope, ofRecord.at(-1) as LoggedChange, base)] as const,
    );
    const read = new Map(await Promise.all(rows));
    // An import may have swapped the base in between, and its records with it.
    const isSwapped = async () => (await table.uncached().get(headKey(scope)))?.['base'] !== head.base;
    if (!isExact && rows.length > 0 && (await isSwapped())) throw new StaleRead();
    return read;
  }
}

const addressOf = ({ name }: Table, { workspaceId, collection }: CollectionScope): string =>
  `${name} ${workspaceId} ${collection}`;

function tagOf({ base = 'none' }: CollectionHead, revisions: ReadonlyMap<string, string | null>): string {
  if (revisions.size === 0) return base;
  return `${base}.${createHash('sha256')
    .update(JSON.stringify([...revisions].sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('base64url')
    .slice(0, 22)}`;
}
