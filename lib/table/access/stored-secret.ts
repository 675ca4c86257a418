import type { Permission } from '#lib/domain/access/permission.ts';

/** The item under a secret's hash. One read of it has everything that a request needs of its key. */
export interface StoredSecret {
  readonly workspaceId: string;
  readonly keyId: string;
  /** A copy of the key's name. */
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly memberId: string | null;
  /** A copy of the member, written with every change of the member; absent if the member does not exist. */
  readonly member?: { readonly active: boolean; readonly permissions: readonly Permission[] };
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** Whether the key has a newer secret. */
  readonly isRetired?: true;
}
