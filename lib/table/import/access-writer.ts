import type { ApiKey } from '#lib/domain/access/api-key.ts';
import type { Member } from '#lib/domain/access/member.ts';
import { inGroups } from '#lib/domain/in-groups.ts';
import type { ApiKeyRecord } from '../access/api-key-records.ts';
import { hashOfSecret } from '../access/api-keys.ts';
import { newSecret } from '../access/new-secret.ts';
import { keyRules } from '../writer/key-rules.ts';
import { memberRules } from '../writer/member-rules.ts';
import { RuledWriter, type WriterOptions } from './ruled-writer.ts';

/** A secret that was made because the document has none. It cannot be shown later. */
export interface NewSecret {
  readonly keyId: string;
  readonly name: string;
  readonly secret: string;
}

const atOnce = 25;

/** Writes members and API keys. The keys of one member are written one after the other, because they conflict. */
export class AccessWriter {
  readonly #keys: ApiKey[] = [];
  readonly #members: Member[] = [];
  readonly #newSecrets = new Map<string, NewSecret>();
  readonly #keyWriter: RuledWriter<ApiKey>;
  readonly #memberWriter: RuledWriter<Member>;

  constructor(options: WriterOptions) {
    this.#keyWriter = new RuledWriter(options, {
      kind: 'apiKey',
      rules: keyRules,
      completed: (key, before) => this.#record(key, before as ApiKeyRecord | undefined),
    });
    this.#memberWriter = new RuledWriter(options, {
      kind: 'member',
      rules: memberRules,
      completed: (member) => member,
    });
  }

  get newSecrets(): NewSecret[] {
    return [...this.#newSecrets.values()];
  }

  addKeys(records: readonly ApiKey[]): void {
    this.#keys.push(...records);
  }

  addMembers(records: readonly Member[]): void {
    this.#members.push(...records);
  }

  /**
   * @param prune whether to remove the keys and members that the document does not contain
   * @returns the numbers of keys and members that were removed, and of those that were new or different
   * @throws Unavailable if another workspace's key got one of the secrets since the document was checked
   */
  async finish(prune: { readonly keys: boolean; readonly members: boolean }) {
    const written = { keys: 0, members: 0 };
    // A key copies its member.
    for await (const some of inGroups(this.#members, atOnce)) written.members += await this.#memberWriter.write(some);
    const byMember = Map.groupBy(this.#keys, ({ id, memberId }) => memberId ?? id);
    for await (const some of inGroups(byMember.values(), atOnce)) {
      const writes = some.map(async (keys) => {
        for (const key of keys) {
          const changed = await this.#keyWriter.write([key]);
          written.keys += changed;
        }
      });
      await Promise.all(writes);
    }
    const keys = await this.#keyWriter.finish(prune.keys);
    return { written, removed: { keys, members: await this.#memberWriter.finish(prune.members) } };
  }

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
}
