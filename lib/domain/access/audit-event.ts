import * as z from 'zod/mini';

/** The author of a change: an API key, a signed-in member, the operator with a command, or a time of the record. */
export const Actor = z.strictObject({
  type: z.enum(['key', 'member', 'operator', 'schedule']),
  /** Null of a schedule. */
  id: z.nullable(z.string()),
  name: z.string(),
});
export type Actor = z.infer<typeof Actor>;

/** The actor of a command of `npm run workspace` and of an import. */
export const operator: Actor = { type: 'operator', id: 'operator', name: 'Operator' };

/** The actor of a change that a record has announced (lib/spec/additions.md section 13). */
export const schedule: Actor = { type: 'schedule', id: null, name: 'Schedule' };

export const AuditAction = z.enum(['create', 'update', 'delete', 'restore', 'rotate', 'import', 'invite', 'signIn']);
export type AuditAction = z.infer<typeof AuditAction>;

/** One change of one record, or one sign-in: its author, time and paths, no values (lib/spec/additions.md section 2). */
export const AuditEvent = z.strictObject({
  id: z.string(),
  at: z.string(),
  actor: Actor,
  action: AuditAction,
  /** The kind in addresses, e.g. `menu-products`. */
  recordKind: z.string(),
  /** For an entry `modelId/id`. */
  recordId: z.string(),
  /** The paths that an update has changed. For other actions empty, or the paths of a special effect. */
  changed: z.array(z.string()),
  /** The request that made the change; null for a command. */
  requestId: z.nullable(z.string()),
});
export type AuditEvent = z.infer<typeof AuditEvent>;
