import type { Permission } from './permission.ts';

/** Whose data is meant: a repository is made from it and reaches nothing of any other workspace. */
export interface WorkspaceScope {
  readonly workspaceId: string;
}

/** Who is calling, as the API key of the request says (lib/spec/decisions.md section 2). */
export interface Principal extends WorkspaceScope {
  readonly keyId: string;
  readonly permissions: ReadonlySet<Permission>;
  /** The workspace member that the key belongs to; messaging routes need one. */
  readonly member: { readonly id: string; readonly permissions: ReadonlySet<Permission> } | undefined;
}
