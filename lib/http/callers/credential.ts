import type { Principal } from '#lib/domain/access/principal.ts';
import type { KeyIdentity } from '#lib/table/access/api-keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { HttpError } from '../errors.ts';

/**
 * The credential of a request: an API key, a session or a visitor's token. Each kind has its own file in this folder.
 */
export interface Credential {
  /** The key, token or cookie itself. */
  readonly secret: string;
  /** Finds the caller. @returns undefined if the credential is not valid @throws Unavailable */
  readonly find: (table: Table) => Promise<Principal | undefined>;
  /** The caller that this container found last; undefined if no work may start before the credential is read. */
  readonly lastSeen?: () => Principal | undefined;
  /** The stored key of a credential that is not valid, for the log. */
  readonly refusedKey?: (table: Table) => Promise<KeyIdentity | undefined>;
  /** The 401 for an invalid credential. All reasons have one text, so that callers learn nothing from it. */
  readonly refusal: () => HttpError;
}
