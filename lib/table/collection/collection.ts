import { createHash } from 'node:crypto';
import { containerMemory, textBytes } from '../memory/container-memory.ts';
import { type Load, VersionedCache } from '../memory/versioned.ts';
import type { Item } from '../schema.ts';
import type { Table } from '../table.ts';
import {
  areCellsStable,
  areRowsStable,
  type CollectionHead,
  type CollectionScope,
  cellsVersion,
  headKey,
  rowsVersion,
  timeOf,
} from './head.ts';
import { type LoggedChange, readCachedLog, readLog } from './log.ts';

/** The stored rows of a collection, without the changes in its log. */
export interface Base {
  /** The log items whose changes are included in these rows. */
  readonly consumed: ReadonlySet<string>;
}

/** The current state of a record. */
export interface StoredRow<Row> {
  /** Null if the record does not exist. */
  readonly revision: string | null;
  /** Undefined if the collection has no row for the record. */
  readonly row: Row | undefined;
}

/** How a kind of collection is read and cached. */
export interface CollectionSpec<CollectionBase extends Base, Row, Scope extends CollectionScope = CollectionScope> {
  /**
   * @returns the rows of the head's directory, none without a directory, and their size in memory. A result that is not
   * settled is not cached
   */
  readonly loadBase: (
    load: Load<Scope, CollectionHead, CollectionBase>,
  ) => Promise<{ readonly value: CollectionBase; readonly bytes: number; readonly isExact?: boolean }>;
  /** Reads the record of a change and makes its row. */
  readonly readRow: (table: Table, scope: Scope, change: LoggedChange, base: CollectionBase) => Promise<StoredRow<Row>>;
  /** The address of a changed record within the collection. */
  readonly addressOf: (change: LoggedChange) => string;
  /** The approximate size of a changed row in memory, in bytes. */
  readonly rowBytes: number;
  /** Whether the rows contain column values. If not, changes of columns and of time stamps are ignored. */
  readonly hasColumns?: boolean;
  /** A key for states of one base that differ by scope. @default one state for all */
  readonly variantOf?: (scope: Scope) => string;
}

/** The current rows of a collection: those of a base, in which records of the log replace their former rows. */
export interface CollectionState<CollectionBase extends Base, Row> {
  readonly head: CollectionHead;
  readonly base: CollectionBase;
  /** Rows by the address of their record; undefined if the record has no row any more. */
  readonly changed: ReadonlyMap<string, Row | undefined>;
  /** The revisions of the same records, as they were read. */
  readonly revisions: ReadonlyMap<string, string | null>;
  /** The log items whose changes these rows certainly include. The records of all others are read again. */
  readonly applied: ReadonlySet<string>;
  /** Identifies the base and the revisions. Settled states with the same tag have the same rows. */
  readonly tag: string;
  /** Whether the tag identifies the rows exactly. It does not while an import writes. */
  readonly isExact: boolean;
}

interface CachedState<CollectionBase extends Base, Row> {
  readonly state: CollectionState<CollectionBase, Row>;
  readonly variant: string | undefined;
  /** The version of the head, if no change was under way at the read. */
  readonly version: string | undefined;
  /** The size of the changes in memory, without the base. */
  readonly bytes: number;
}

/** The transaction of an older change has certainly ended. No request lasts that long. */
const endedMilliseconds = 60_000;

/**
 * Reads a collection. A warm container reads only the head. If something has changed, it also reads the log, and the
 * records in it. So rows always agree with the records.
 */
export class Collection<CollectionBase extends Base, Row, Scope extends CollectionScope = CollectionScope> {
  readonly #spec: CollectionSpec<CollectionBase, Row, Scope>;
  readonly #bases: VersionedCache<Scope, CollectionHead, CollectionBase>;
  /** The last state of each base. It is evicted with its base, and its size is added to the base's. */
  readonly #cachedStates = new WeakMap<CollectionBase, CachedState<CollectionBase, Row>>();

  constructor(spec: CollectionSpec<CollectionBase, Row, Scope>) {
    this.#spec = spec;
    this.#bases = new VersionedCache<Scope, CollectionHead, CollectionBase>({
      key: headKey,
      versionOf: (head, scope) => this.#baseVersionOf(head, scope),
      load: async (load) => ({ isExact: true, ...(await spec.loadBase(load)) }),
    });
  }

  /**
   * @param usesUpdatedAt whether to include changes of time stamps. No head announces them, so the log is read beside
   * the head
   * @returns undefined if the collection was never written
   * @throws StaleRead when an import has replaced the base
   */
  async read(
    table: Table,
    scope: Scope,
    { usesUpdatedAt = false } = {},
  ): Promise<CollectionState<CollectionBase, Row> | undefined> {
    const [item, stamped] = await Promise.all([
      table.get(headKey(scope)),
      usesUpdatedAt ? readCachedLog(table, scope) : [],
    ]);
    if (!item) return undefined;
    const head = item as Item & CollectionHead;
    const cached = this.#cachedStateOf(table, scope);
    const version = this.#stableVersionOf(head);
    const isCurrent = cached !== undefined && version !== undefined && cached.version === version;
    if (isCurrent && stamped.every(({ sk }) => includesChange(cached.state, sk))) return cached.state;
    const state = await this.#refresh(table, scope, head, cached, isCurrent ? stamped : undefined);
    const bytes =
      state.changed.size * this.#spec.rowBytes + [...state.applied].reduce((sum, id) => sum + textBytes(id), 0);
    containerMemory.addBytes(state.base, bytes - (this.#cachedStates.get(state.base)?.bytes ?? 0));
    const variant = this.#spec.variantOf?.(scope);
    this.#cachedStates.set(state.base, { state, variant, version, bytes });
    return state;
  }

  /** The cached state, which may be outdated: a hint for the next read. It must not be shown. */
  lastSeen(table: Table, scope: Scope): CollectionState<CollectionBase, Row> | undefined {
    return this.#cachedStateOf(table, scope)?.state;
  }

  #cachedStateOf(table: Table, scope: Scope): CachedState<CollectionBase, Row> | undefined {
    const base = this.#bases.lastSeen(table, scope)?.value;
    const cached = base && this.#cachedStates.get(base);
    return cached?.variant === this.#spec.variantOf?.(scope) ? cached : undefined;
  }

  #stableVersionOf(head: CollectionHead): string | undefined {
    if (this.#spec.hasColumns) return areCellsStable(head) ? cellsVersion(head) : undefined;
    return areRowsStable(head) ? rowsVersion(head) : undefined;
  }

  #baseVersionOf({ base, born, columns = '' }: CollectionHead, scope: Scope): string {
    const version = base ?? `none ${born}`;
    return this.#spec.hasColumns ? `${version} ${columns} ${this.#spec.variantOf?.(scope) ?? ''}` : version;
  }

  /** @param currentLog the log, if the head has the cached version, so that only time stamps can be new */
  async #refresh(
    table: Table,
    scope: Scope,
    head: CollectionHead,
    cached: CachedState<CollectionBase, Row> | undefined,
    currentLog: readonly LoggedChange[] | undefined,
  ) {
    // The log is read after the head, so it has every change that was settled then.
    const [loaded, log] = await Promise.all([this.#bases.read(table, scope), currentLog ?? this.#logOf(table, scope)]);
    if (!loaded) throw new Error('The head was there when this request read it.');
    const base = loaded.value;
    // An import does not log its writes. While it runs, every changed row is read again.
    const isContinued = cached?.state.isExact && cached.state.base === base && head.import === undefined;
    // After a restore from a backup, the log lacks later changes that the cached state may include.
    const isLonger = isContinued && cached.state.applied.isSubsetOf(new Set(log.map(({ sk }) => sk)));
    return this.#apply(table, scope, head, base, log, isLonger ? cached.state : undefined);
  }

  async #logOf(table: Table, scope: Scope): Promise<readonly LoggedChange[]> {
    const log = await readLog(table, scope);
    return this.#spec.hasColumns ? log : log.filter(({ stamp }) => !stamp);
  }

  /** Reads the records of new changes, and puts their rows in place of the former ones. */
  async #apply(
    table: Table,
    scope: Scope,
    head: CollectionHead,
    base: CollectionBase,
    log: readonly LoggedChange[],
    before: CollectionState<CollectionBase, Row> | undefined,
  ): Promise<CollectionState<CollectionBase, Row>> {
    const newChanges = log.filter(({ sk }) => !base.consumed.has(sk) && !before?.applied.has(sk));
    const isRelevant = ({ cells }: LoggedChange): boolean => this.#spec.hasColumns === true || !cells;
    const read = await this.#readRows(table, scope, base, newChanges.filter(isRelevant));
    // Other items of a transaction may become visible before the record does.
    const isIncluded = (change: LoggedChange): boolean =>
      change.revision === read.get(this.#spec.addressOf(change))?.revision || hasEnded(change);
    const included = newChanges.filter((change) => !isRelevant(change) || isIncluded(change));
    const isSame = [...read].every(([address, { revision }]) => before?.revisions.get(address) === revision);
    if (before && isSame && included.length === 0) return before;
    const applied = new Set([...(before?.applied ?? []), ...included.map(({ sk }) => sk)]);
    const changed = new Map([...(before?.changed ?? []), ...read.entries().map(([at, { row }]) => [at, row] as const)]);
    const revisions = new Map([
      ...(before?.revisions ?? []),
      ...read.entries().map(([at, { revision }]) => [at, revision] as const),
    ]);
    const isExact = head.import === undefined;
    return { head, base, changed, revisions, applied, tag: tagOf(head, revisions), isExact };
  }

  /** Reads each changed record once, after the log. */
  async #readRows(table: Table, scope: Scope, base: CollectionBase, changes: readonly LoggedChange[]) {
    const reads = table.uncached();
    const byRecord = Map.groupBy(changes, this.#spec.addressOf);
    const rows = [...byRecord].map(async ([address, ofRecord]) => {
      const record = await this.#spec.readRow(reads, scope, ofRecord.at(-1) as LoggedChange, base);
      return [address, record] as const;
    });
    return new Map(await Promise.all(rows));
  }
}

/** Ids of changes begin with their time. */
const hasEnded = ({ sk }: LoggedChange): boolean => timeOf(sk) < Date.now() - endedMilliseconds;

const includesChange = ({ base, applied }: CollectionState<Base, unknown>, sk: string): boolean =>
  base.consumed.has(sk) || applied.has(sk);

function tagOf({ base, born }: CollectionHead, revisions: ReadonlyMap<string, string | null>): string {
  const name = base ?? `none.${born}`;
  if (revisions.size === 0) return name;
  return `${name}.${createHash('sha256')
    .update(JSON.stringify([...revisions].sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('base64url')
    .slice(0, 22)}`;
}
