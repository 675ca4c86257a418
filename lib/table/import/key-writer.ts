import type { ApiKey } from '#lib/domain/access/api-key.ts';
import { inGroups } from '#lib/domain/in-groups.ts';
import type { ApiKeyRecord } from '../access/api-key-records.ts';
import { hashOfSecret } from '../access/api-keys.ts';
import { newSecret } from '../access/new-secret.ts';
import { keyRules } from '../writer/key-rules.ts';
import { RuledWriter, type WriterOptions } from './ruled-writer.ts';

/** A secret that was made because the document has none. It cannot be shown later. */
export interface NewSecret {
  readonly keyId: string;
  readonly name: string;
  readonly secret: string;
}

const membersAtOnce = 25;

/** Writes API keys. Those of one member are written one after the other, because they conflict. */
export class KeyWriter extends RuledWriter<ApiKey> {
  readonly #newSecrets = new Map<string, NewSecret>();

  constructor(options: WriterOptions) {
    super(options, {
      kind: 'apiKey',
      rules: keyRules,
      completed: (key, before) => this.#record(key, before as ApiKeyRecord | undefined),
    });
  }

  get newSecrets(): NewSecret[] {
    return [...this.#newSecrets.values()];
  }

  /** @throws Unavailable if another workspace's key got one of the secrets since the document was checked */
  override async write(keys: readonly ApiKey[]): Promise<number> {
    const byMember = Map.groupBy(keys, ({ id, memberId }) => memberId ?? id);
    let written = 0;
    for await (const some of inGroups(byMember.values(), membersAtOnce)) {
      const writes = some.map(async (ofOne) => {
        for (const key of ofOne) {
          const changed = await super.write([key]);
          written += changed;
        }
      });
      await Promise.all(writes);
    }
    return written;
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
