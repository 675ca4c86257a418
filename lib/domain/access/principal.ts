import type { Actor } from './audit-event.ts';
import type { Permission } from './permission.ts';
import type { PersonSession, Session } from './session.ts';

/** The workspace of a request. A repository made from it reaches no other workspace. */
export interface WorkspaceScope {
  readonly workspaceId: string;
}

/**
 * The kind of credential: an API key, the session of a signed-in member or of a person who has not chosen a workspace, or
 * a visitor's token.
 */
export type CallerKind = 'key' | 'session' | 'person' | 'visitor';

/** The caller, as identified by the request's credential (lib/spec/additions.md section 4, section 6). */
export interface Principal extends WorkspaceScope {
  readonly kind: CallerKind;
  /**
   * The caller for the rate limit, unique in the workspace. It is the id of the key, or a name for the token or
   * session.
   */
  readonly callerId: string;
  /** The owner of the caller's idempotency keys: the key, the conversation or the member. */
  readonly idempotencyId: string;
  /** The key of the request, or the key that issued the token; undefined for a session. */
  readonly keyId: string | undefined;
  /** The caller in audit events. */
  readonly actor: Actor;
  /** The permissions of the key, or of the signed-in member. */
  readonly permissions: ReadonlySet<Permission>;
  /** The member of the key or of the session. Messaging routes need one. */
  readonly member: { readonly id: string; readonly permissions: ReadonlySet<Permission> } | undefined;
  /** The session of a signed-in member. */
  readonly session?: Session | undefined;
  /** The session of a person, with or without a workspace. Without one, `workspaceId` is empty and names no record. */
  readonly person?: PersonSession | undefined;
  /** The scope of a visitor's token. */
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
