import { randomUUID } from 'node:crypto';
import type { ApiKey } from '#lib/domain/access/api-key.ts';
import { type Member, memberAddress } from '#lib/domain/access/member.ts';
import { type ApiKeyRecord, ApiKeyRecords } from '../access/api-key-records.ts';
import { hashOfSecret } from '../access/api-keys.ts';
import { newSecret } from '../access/new-secret.ts';
import { importMarkUpdate } from '../collection/import-announcement.ts';
import { isStill } from '../dynamodb/conditions.ts';
import { transact } from '../dynamodb/transact.ts';
import { putAll, removeAll } from '../dynamodb/write-all.ts';
import { keys } from '../keys.ts';
import { isImporting } from '../log/change-log.ts';
import { accessCollection } from '../log/key-proof.ts';
import { readLog } from '../log/read-log.ts';
import { recordOf } from '../record-of.ts';
import type { Item } from '../schema.ts';
import type { Table, TransactItem } from '../table.ts';
import { inTransactions, repeatUpdate } from './in-transactions.ts';
import type { ConcurrentEdits, WriterOptions } from './writer-options.ts';

/** A secret that was made because the document has none. It cannot be shown later. */
export interface NewSecret {
  readonly keyId: string;
  readonly name: string;
  readonly secret: string;
}

/** Whether to remove records that the document does not contain. */
export interface AccessPrune {
  readonly keys: boolean;
  readonly members: boolean;
}

/**
 * Writes members and API keys. The transaction of a member copies the member's state onto the member's keys. So
 * requests need not read members.
 */
export class AccessWriter {
  readonly #table: Table;
  readonly #workspaceId: string;
  readonly #records: ApiKeyRecords;
  readonly #concurrentEdits: ConcurrentEdits;
  readonly #keys = new Map<string, ApiKey>();
  readonly #members = new Map<string, Member>();
  readonly #newSecrets = new Map<string, NewSecret>();
  readonly #changes = { removed: { keys: 0, members: 0 }, written: { keys: 0, members: 0 } };

  constructor({ table, workspace, concurrentEdits }: Pick<WriterOptions, 'table' | 'workspace' | 'concurrentEdits'>) {
    this.#table = table;
    this.#workspaceId = workspace.id;
    this.#records = new ApiKeyRecords(table, { workspaceId: workspace.id }, 'import');
    this.#concurrentEdits = concurrentEdits;
  }

  get newSecrets(): NewSecret[] {
    return [...this.#newSecrets.values()];
  }

  addKeys(records: readonly ApiKey[]): void {
    for (const record of records) this.#keys.set(record.id, record);
  }

  addMembers(records: readonly Member[]): void {
    for (const record of records) this.#members.set(record.id, record);
  }

  /**
   * @throws ConditionFailed if another workspace's key got one of the secrets since the document was checked
   */
  finish(prune: AccessPrune): Promise<AccessChanges> {
    // An operator may change a key in the meantime.
    return repeatUpdate(this.#table, async () => {
      await this.#bringUpToDate(prune);
      // An interrupted import may have left its mark.
      const { state } = await readLog(this.#table.uncached(), { workspaceId: this.#workspaceId });
      if (isImporting(state, accessCollection)) await this.#mark(false);
      return this.#changes;
    });
  }

  /** An import does not log its changes one by one. While its mark is there, every request reads its key. */
  async #mark(isBegun: boolean): Promise<void> {
    const update = importMarkUpdate(accessCollection, isBegun);
    await this.#table.update(keys.logState(this.#workspaceId), { ...update, ReturnValues: 'NONE' });
  }

  /** Writes the differences. Each transaction is tried once. */
  async #bringUpToDate(prune: AccessPrune): Promise<void> {
    // Read before the keys. If the count is the same when it is removed, no key was missed.
    const counted = await this.#counts();
    const keyItems = await this.#records.items('apiKey');
    const memberItems = await this.#records.items('member');
    const keysBefore = byId(keyItems.map(recordOf<ApiKeyRecord>));
    const membersBefore = byId(memberItems.map(recordOf<Member>));
    const members = this.#after('member', memberItems, this.#members, prune.members);
    const named = byId([...this.#keys.values()].map((key) => this.#record(key, keysBefore.get(key.id))));
    const keysAfter = this.#after('apiKey', keyItems, named, prune.keys);

    await this.#updateAddressPointers(members);
    const changedMembers = changed(membersBefore, members);
    const changedKeys = changed(keysBefore, keysAfter);
    if (changedMembers.size + changedKeys.size > 0) await this.#mark(true);
    for (const id of changedMembers) {
      const keysOf = [...keysAfter.values()].filter(({ memberId }) => memberId === id);
      const member = members.get(id);
      const saved = keysOf.map((key) => this.#records.saving(key, member, keysBefore.get(key.id)));
      // The member is last. If the import stops before it, the next import finds a difference and repeats everything.
      await this.#commit([...saved, [this.#writeOf(id, member, membersBefore.get(id))]]);
      this.#changes[member ? 'written' : 'removed'].members++;
      this.#changes.written.keys += keysOf.filter((key) => changedKeys.delete(key.id)).length;
    }
    for (const id of changedKeys) {
      const key = keysAfter.get(id);
      const before = keysBefore.get(id);
      if (key) await this.#save(key, members.get(key.memberId ?? ''), before);
      else if (before) await this.#commit([this.#records.removing(before)]);
      this.#changes[key ? 'written' : 'removed'].keys++;
    }
    await this.#renewCopies(members, changedMembers, keysBefore);
    await this.#countKeys(keysAfter, counted);
  }

  /** The records after the import: those of the document, and the stored ones that stay. */
  #after<Record extends { readonly id: string }>(
    kind: 'apiKey' | 'member',
    items: readonly Item[],
    named: ReadonlyMap<string, Record>,
    prune: boolean,
  ): Map<string, Record> {
    const staying = items.filter((item) => {
      const imported = named.get(item.sk);
      return (!prune && !imported) || this.#concurrentEdits.keeps(kind, item, recordOf<Record>(item), imported);
    });
    return new Map([...named, ...byId(staying.map(recordOf<Record>))]);
  }

  #writeOf = (id: string, member: Member | undefined, before: Member | undefined): TransactItem =>
    member ? this.#records.savingMember(member, before) : this.#records.removingMember(id);

  /** Points each address to its current member. The document was checked, so no two members share an address. */
  async #updateAddressPointers(members: ReadonlyMap<string, Member>): Promise<void> {
    const pk = keys.slugs(this.#workspaceId, 'member');
    const stored = new Map((await Array.fromAsync(this.#table.query({ pk }))).map((item) => [item.sk, item]));
    const idsByAddress = new Map([...members.values()].map(({ id, email }) => [memberAddress(email), id] as const));
    const puts = [...idsByAddress].flatMap(([address, id]) =>
      address === undefined || stored.get(address)?.['id'] === id
        ? []
        : [
            { pk, sk: address, id },
            { ...keys.membership(address, this.#workspaceId), id },
          ],
    );
    const gone = [...stored.values()]
      .filter(({ sk }) => !idsByAddress.has(sk))
      .flatMap((item) => [item, keys.membership(item.sk, this.#workspaceId)]);
    await putAll(this.#table, puts);
    await removeAll(this.#table, gone);
  }

  /** Counts the keys that each member gets. A member without keys has no count. */
  async #countKeys(keysAfter: ReadonlyMap<string, ApiKeyRecord>, before: ReadonlyMap<string, Item>): Promise<void> {
    const counts = new Map<string, number>();
    for (const { memberId } of keysAfter.values()) {
      if (memberId !== null) counts.set(memberId, (counts.get(memberId) ?? 0) + 1);
    }
    const pk = keys.memberKeys(this.#workspaceId);
    const stored = await this.#counts();
    const different = [...counts].filter(([id, count]) => stored.get(id)?.['count'] !== count);
    await putAll(
      this.#table,
      different.map(([sk, count]) => ({ pk, sk, count, change: randomUUID() })),
    );
    const gone = [...before.values()].filter(({ sk }) => !counts.has(sk));
    await this.#commit(gone.map(({ sk, change }) => [{ Delete: { Key: { pk, sk }, ...isStill('change', change) } }]));
  }

  async #counts(): Promise<Map<string, Item>> {
    const items = this.#table.query({ pk: keys.memberKeys(this.#workspaceId) });
    return new Map((await Array.fromAsync(items)).map((item) => [item.sk, item]));
  }

  /** Renews the copies of a member on keys that an operator has made in the meantime. */
  async #renewCopies(
    members: ReadonlyMap<string, Member>,
    changedMembers: ReadonlySet<string>,
    keysBefore: ReadonlyMap<string, ApiKeyRecord>,
  ): Promise<void> {
    if (changedMembers.size === 0) return;
    for (const key of await this.#records.list()) {
      if (key.memberId === null || !changedMembers.has(key.memberId) || keysBefore.has(key.id)) continue;
      await this.#save(key, members.get(key.memberId), key);
    }
  }

  #save = (key: ApiKeyRecord, member: Member | undefined, before: ApiKeyRecord | undefined): Promise<void> =>
    transact(this.#table, this.#records.changeOf(key, member, before));

  #record({ secret, secretHash, ...key }: ApiKey, before: ApiKeyRecord | undefined): ApiKeyRecord {
    const documentHash = secret === undefined ? secretHash : hashOfSecret(secret);
    const hash = documentHash ?? this.#storedOrNewHash(key, before);
    // A secret that an import replaces gets no grace period, and its predecessor loses it.
    return { ...key, secretHash: hash, retired: hash === before?.secretHash ? before.retired : null };
  }

  /** A key without a secret in the document keeps its stored one, or gets a new one. */
  #storedOrNewHash({ id, name }: Pick<ApiKey, 'id' | 'name'>, before: ApiKeyRecord | undefined): string {
    const issued = this.#newSecrets.get(id) ?? { keyId: id, name, secret: newSecret() };
    const hash = hashOfSecret(issued.secret);
    if (before && before.secretHash !== hash) this.#newSecrets.delete(id);
    else this.#newSecrets.set(id, issued);
    return before?.secretHash ?? hash;
  }

  /** Splits the writes into transactions. The writes of one key, or of the member, stay together. */
  async #commit(groups: readonly (readonly TransactItem[])[]): Promise<void> {
    for (const records of inTransactions(groups)) await transact(this.#table, { records });
  }
}

const byId = <R extends { readonly id: string }>(records: readonly R[]): Map<string, R> =>
  new Map(records.map((record) => [record.id, record]));

interface AccessCounts {
  readonly keys: number;
  readonly members: number;
}

/** The numbers of keys and members that were removed, and of those that were new or different. */
interface AccessChanges {
  readonly removed: AccessCounts;
  readonly written: AccessCounts;
}

function changed<R>(before: ReadonlyMap<string, R>, after: ReadonlyMap<string, R>): Set<string> {
  const ids = new Set([...before.keys(), ...after.keys()]);
  return new Set([...ids].filter((id) => JSON.stringify(before.get(id)) !== JSON.stringify(after.get(id))));
}
