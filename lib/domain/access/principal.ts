import type { Actor } from './audit-event.ts';
import type { Permission } from './permission.ts';
import type { Session } from './session.ts';

/** The workspace of a request. A repository made from it reaches no other workspace. */
export interface WorkspaceScope {
  readonly workspaceId: string;
}

/** The kind of credential: an API key, the session of a signed-in member, or a visitor's token. */
export type CallerKind = 'key' | 'session' | 'visitor';

/** The caller, as identified by the request's credential (lib/spec/additions.md section 4, section 6). */
export interface Principal extends WorkspaceScope {
  readonly kind: CallerKind;
  /** The caller for the rate limit, within the workspace: the id of the key, or a name of the token or the session. */
  readonly callerId: string;
  /** The owner of the caller's idempotency keys: the key, the conversation or the member. */
  readonly idempotencyId: string;
  /** The key of the request, or the one that made the token; a session has none. */
  readonly keyId: string | undefined;
  /** As audit events name the caller. */
  readonly actor: Actor;
  /** Of the key, or of the member that is signed in. */
  readonly permissions: ReadonlySet<Permission>;
  /** The workspace member that the key belongs to, or that is signed in; messaging routes need one. */
  readonly member: { readonly id: string; readonly permissions: ReadonlySet<Permission> } | undefined;
  /** Of a caller that is known by one. */
  readonly session?: Session | undefined;
  /** All that a visitor's token opens. */
  readonly visitor?: Visitor | undefined;
}

/** The scope of a visitor's token (lib/spec/additions.md section 4). */
export interface Visitor {
  readonly conversationId: string;
  readonly customerId: string;
  readonly channelId: string;
  /** The agent that answers on the channel by default. */
  readonly agentId: string | null;
  /** The host name of the website. */
  readonly host: string;
}
