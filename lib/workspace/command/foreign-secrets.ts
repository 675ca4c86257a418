import { isGeneratedSecret } from '#lib/domain/access/key-secret.ts';
import type { ParsedRecord } from '#lib/kinds/kinds.ts';
import { escapeControlCharacters } from '../escape-control-characters.ts';

const namedMax = 5;

/**
 * Finds keys whose secrets this service did not generate. They are allowed, because keys of another service move with
 * their clients. No rule can tell a random secret from an invented one, so the import only warns.
 */
export class ForeignSecrets {
  readonly #keyIds: string[] = [];

  async *watch(records: AsyncIterable<ParsedRecord>): AsyncGenerator<ParsedRecord> {
    for await (const parsed of records) {
      const { id, secret } = parsed.record as { readonly id?: unknown; readonly secret?: unknown };
      if (parsed.kind === 'apiKey' && typeof secret === 'string' && !isGeneratedSecret(secret)) {
        this.#keyIds.push(String(id));
      }
      yield parsed;
    }
  }

  /** @returns undefined if there is none */
  get warning(): string | undefined {
    const count = this.#keyIds.length;
    if (count === 0) return undefined;
    const named = [...this.#keyIds.slice(0, namedMax), ...(count > namedMax ? [`${count - namedMax} more`] : [])];
    const keys = count === 1 ? 'The secret of 1 key was' : `The secrets of ${count} keys were`;
    return escapeControlCharacters(
      `${keys} not made by this service: ${named.join(', ')}. If a person made them up, others can guess them; "key rotate" replaces them by random ones.`,
    );
  }
}
