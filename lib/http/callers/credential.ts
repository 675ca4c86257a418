import type { Principal } from '#lib/domain/access/principal.ts';
import type { KeyIdentity } from '#lib/table/access/api-keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { HttpError } from '../errors.ts';

/** What a request says who it is by. There is one file for each kind beside this one. */
export interface Credential {
  /** Reads whose it is. @returns undefined when it does not count @throws Unavailable */
  readonly find: (table: Table) => Promise<Principal | undefined>;
  /** Whose it was when this container read it last; undefined when nothing may begin before it is read. */
  readonly guess?: () => Principal | undefined;
  /** The stored key behind a credential that does not count, for the log. */
  readonly refusedKey?: (table: Table) => Promise<KeyIdentity | undefined>;
  /** The 401 for one that does not count; one text for all, so that nothing can be learnt. */
  readonly refusal: () => HttpError;
}
