import { isDeepStrictEqual } from 'node:util';
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

/** Audit events are kept for 400 days, in milliseconds. */
export const auditKeptMilliseconds = 400 * 24 * 60 * 60_000;

/**
 * The paths at which two versions of a record differ, down to object properties and languages. A list is one value.
 * `updatedAt` is included only if nothing else has changed, because every change sets it.
 */
export function changedPaths(before: object, after: object): string[] {
  // The table does not keep the order of properties.
  const paths = differences(before, after, '').sort();
  const others = paths.filter((path) => path !== 'updatedAt');
  return others.length > 0 ? others : paths;
}

function differences(before: unknown, after: unknown, path: string): string[] {
  const a = before ?? null;
  const b = after ?? null;
  if (isDeepStrictEqual(a, b)) return [];
  if (!isMembers(a) || !isMembers(b)) return [path];
  const names = [...new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])];
  const inside = names.flatMap((name) =>
    differences(ownValue(a, name), ownValue(b, name), path ? `${path}.${name}` : name),
  );
  return inside.length > 0 || path === '' ? inside : [path];
}

/** True for an object and for null. */
const isMembers = (value: unknown): value is object | null => typeof value === 'object' && !Array.isArray(value);

const ownValue = (value: object | null, name: string): unknown =>
  value && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
