import type { Model } from '#lib/domain/cms/cms-model.ts';
import { inGroups } from '#lib/domain/in-groups.ts';
import { type JsonObject, textOf } from '#lib/domain/input.ts';
import type { MenuRow } from '#lib/domain/menu/menu-row.ts';
import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { ApiKeyRecords, type StoredSecret } from './access/api-key-records.ts';
import { readModelRecords } from './cms/cms-schema.ts';
import { readEntryList } from './cms/entry-list.ts';
import { idOf, type Row, sortKeyOf } from './cms/entry-row.ts';
import type { StoredEntry } from './cms/stored-entry.ts';
import { repeatStaleRead, StaleRead } from './collection/head.ts';
import { dueKey } from './due/keys.ts';
import { keys, type MenuKind, type RecordKind } from './keys.ts';
import type { LogState } from './log/change-log.ts';
import { ListedRecords } from './menu/listed-records.ts';
import { menuRows, readMenuOutline } from './menu/menu-outline.ts';
import { messagingKeys } from './messaging/keys.ts';
import { keptRecordOf, keptSince } from './retention.ts';
import { isStorableName, StoredRecords } from './stored-records.ts';
import { recordOf, type Table } from './table.ts';
import { findWorkspace } from './workspaces.ts';

const recordsPerBatch = 100;

/** All records of a workspace for checks and exports, kind by kind, with one page in memory at a time. */
export class StoredWorkspace extends StoredRecords {
  readonly #table: Table;

  constructor(table: Table, workspaceId: string) {
    super(readsOfTurn(table), workspaceId);
    this.#table = table;
  }

  /** When a record was created, in a kind that has `createdAt`. */
  storedCreatedAt = async (
    kind: RecordKind | 'workspace' | 'cmsEntry',
    { id: givenId, modelId: givenModelId }: JsonObject,
  ): Promise<string | undefined> => {
    const [id, modelId] = [textOf(givenId), textOf(givenModelId)];
    if (kind === 'workspace' || !isRecordId(id)) return undefined;
    if (kind === 'cmsEntry' && !isRecordId(modelId)) return undefined;
    const { workspaceId } = this;
    const key =
      kind === 'cmsEntry' ? keys.cmsEntryPointer(workspaceId, modelId, id) : keys.record(workspaceId, kind, id);
    const item = await this.reads().get(key);
    // Under the ids of entries and messages there are pointers with the time.
    const { createdAt } = item?.['record'] === undefined ? (item ?? {}) : recordOf<JsonObject>(item);
    return textOf(createdAt) || undefined;
  };

  storedLanguages = async (): Promise<readonly string[]> =>
    (await findWorkspace(this.reads(), this.workspaceId))?.languages ?? [];

  async conversation(id: string): Promise<Conversation | undefined> {
    const key = keys.record(this.workspaceId, 'conversation', id);
    const item = isRecordId(id) ? await this.reads().get(key) : undefined;
    return item && recordOf<Conversation>(item);
  }

  /** The key, of any workspace, with a secret. */
  async ownerOfSecret(secretHash: string): Promise<Pick<StoredSecret, 'workspaceId' | 'keyId'> | undefined> {
    if (!isStorableName(secretHash)) return undefined;
    return (await this.reads().get(keys.apiKey(secretHash))) as StoredSecret | undefined;
  }

  /** The records of a kind, in the order of their ids. @throws StaleRead if an import replaces the index */
  records(kind: RecordKind): AsyncGenerator<object> {
    if (kind === 'message') return this.#messages();
    return kind === 'menuProduct' || kind === 'menuCategory' ? this.#menuRecords(kind) : this.#plainRecords(kind);
  }

  /** The ids of all records of a kind. A product or a category counts if the index has it. */
  async *ids(kind: RecordKind): AsyncGenerator<string> {
    if (kind === 'menuProduct' || kind === 'menuCategory') {
      for (const { id } of await this.#menuRows(kind)) yield id;
      return;
    }
    const over = kind === 'message' ? await conversationsOver(this.#table, this.workspaceId) : undefined;
    const range = { pk: keys.records(this.workspaceId, kind), only: ['pk', 'sk', 'conversationId'] };
    for await (const { sk, conversationId } of this.#table.query(range)) {
      if (!over?.has(String(conversationId))) yield sk;
    }
  }

  /** The ids of the entries in the index. */
  async *entryIds(modelId: string): AsyncGenerator<string> {
    for (const row of await this.#entryRows(modelId)) yield idOf(row);
  }

  apiKeys = () => new ApiKeyRecords(this.#table, this).list();

  async *models(): AsyncGenerator<Model> {
    for (const record of await readModelRecords(this.#table, this.workspaceId)) yield JSON.parse(record) as Model;
  }

  /**
   * The entries in the index, oldest first, so that none comes from an unfinished import. The service may remove some
   * meanwhile.
   * @throws StaleRead if an import replaces the index
   */
  async *entries(modelId: string): AsyncGenerator<StoredEntry> {
    const step = await this.#importStep();
    const rows = await this.#entryRows(modelId);
    for await (const some of inGroups(rows.map(sortKeyOf), recordsPerBatch)) {
      const range = { pk: keys.cmsEntries(this.workspaceId, modelId), from: some[0], to: some.at(-1) };
      const items = await Array.fromAsync(this.#table.query(range));
      const found = new Map(items.map((item) => [item.sk, item as StoredEntry]));
      const entries = some.flatMap((row) => found.get(row) ?? []);
      if (entries.length < some.length && (await this.#importStep()) !== step) throw new StaleRead();
      yield* entries;
    }
  }

  /** Another one after each step of an import. */
  async #importStep(): Promise<string | undefined> {
    return ((await this.#table.uncached().get(keys.logState(this.workspaceId))) as LogState | undefined)?.imported;
  }

  #entryRows(modelId: string): Promise<readonly Row[]> {
    const table = this.#table.uncached();
    return repeatStaleRead(table, async () => (await readEntryList(table, this, modelId)).rows());
  }

  async *#plainRecords(kind: RecordKind): AsyncGenerator<object> {
    for await (const item of this.#table.query({ pk: keys.records(this.workspaceId, kind) })) {
      const record = keptRecordOf(kind, item);
      if (record) yield record;
    }
  }

  /** The records of the index's version, which readers see, or of a later change of the service. */
  async *#menuRecords(kind: MenuKind): AsyncGenerator<object> {
    const step = await this.#importStep();
    const rows = await this.#menuRows(kind);
    for await (const some of inGroups(
      rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      recordsPerBatch,
    )) {
      const menu = new ListedRecords(this.#table.uncached(), this);
      const records = await Promise.all(some.map((row) => menu.laterRecord(kind, row)));
      if (records.includes(undefined) && (await this.#importStep()) !== step) throw new StaleRead();
      yield* records.filter((record) => record !== undefined);
    }
  }

  /** The rows of the index's version. The other members of rows would fill the memory. */
  #menuRows(kind: MenuKind): Promise<readonly Pick<MenuRow, 'id' | 'hash'>[]> {
    const table = this.#table.uncached();
    return repeatStaleRead(table, async () => {
      const state = await readMenuOutline(table, this);
      return state ? Array.fromAsync(menuRows(table, this, kind, state), ({ id, hash }) => ({ id, hash })) : [];
    });
  }

  async *#messages(): AsyncGenerator<object> {
    const over = await conversationsOver(this.#table, this.workspaceId);
    for await (const some of inGroups(
      this.#table.query({ pk: keys.records(this.workspaceId, 'message') }),
      recordsPerBatch,
    )) {
      const reads = this.#table.uncached();
      const items = await Promise.all(
        some.map(async ({ sk, ...pointer }) => {
          const { conversationId, createdAt } = pointer as unknown as { conversationId: string; createdAt: string };
          if (over.has(conversationId)) return undefined;
          return reads.get(messagingKeys.message(this.workspaceId, conversationId, createdAt, sk));
        }),
      );
      for (const item of items) if (item) yield recordOf(item);
    }
  }
}

/** The ids of the conversations whose time is over, or whose messages are being removed. No reader sees their messages. */
export async function conversationsOver(table: Table, workspaceId: string): Promise<ReadonlySet<string>> {
  const due = table.query({ pk: dueKey({ type: 'conversation', group: workspaceId, id: '', dueAt: 0 }).pk });
  const removed: string[] = [];
  for await (const work of due) {
    const id = String(work['conversationId']);
    // An import may have brought it back.
    const isBack = (await table.uncached().get(keys.record(workspaceId, 'conversation', id))) !== undefined;
    if (work['workspaceId'] === workspaceId && !isBack) removed.push(id);
  }
  const to = keptSince('conversation');
  const rows = to === undefined ? [] : table.query({ pk: messagingKeys.conversationRows(workspaceId), to });
  return new Set([...removed, ...(await Array.fromAsync(rows, (row) => recordOf<Conversation>(row).id))]);
}

/** Look-ups of one turn of the event loop share a round trip. Their cache ends with the turn. */
function readsOfTurn(table: Table): () => Table {
  let reads: Table | undefined;
  return () => {
    if (reads) return reads;
    setImmediate(() => {
      reads = undefined;
    });
    reads = table.uncached();
    return reads;
  };
}
