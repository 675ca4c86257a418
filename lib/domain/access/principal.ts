import type { Actor } from './audit-event.ts';
import type { Permission } from './permission.ts';

/** The workspace of a request. A repository made from it reaches no other workspace. */
export interface WorkspaceScope {
  readonly workspaceId: string;
}

/** The caller, as identified by the request's API key (lib/spec/decisions.md section 2). */
export interface Principal extends WorkspaceScope {
  readonly keyId: string;
  /** As audit events name the caller. */
  readonly actor: Actor;
  readonly permissions: ReadonlySet<Permission>;
  /** The workspace member that the key belongs to; messaging routes need one. */
  readonly member: { readonly id: string; readonly permissions: ReadonlySet<Permission> } | undefined;
}
