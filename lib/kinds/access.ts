import * as z from 'zod/mini';
import { ApiKey } from '#lib/domain/access/api-key.ts';
import { AuditAction, AuditEvent } from '#lib/domain/access/audit-event.ts';
import { Member } from '#lib/domain/access/member-record.ts';
import { utcTime } from '#lib/domain/text/time-stamp.ts';
import { parameterRules } from '#lib/http/query.ts';
import { crud, defineKind, edits, reads } from './define-kind.ts';

export const member = defineKind({
  documentPath: ['members'],
  schema: Member,
  unique: 'email',
  events: { path: 'members', actions: edits, read: ['access:member:read'] },
  managed: {
    path: 'members',
    noun: 'member',
    label: { en: 'Member', ar: 'عضو' },
    verbs: crud('access:member:read', 'access:member:manage'),
    hasOwnFunctions: true,
    idPrefix: 'mem_',
    searched: ['id', 'name', 'email'],
    words: {
      record: 'A member as it is stored.',
      input: 'A member to store. Missing properties get their defaults.',
    },
  },
});

/** A key in a request body. It has no secret, because the service makes it. */
export const ApiKeyInput = z.omit(ApiKey, { secret: true, secretHash: true });

/** A key in answers, without its secret and the hash of the secret (lib/spec/additions.md section 2). */
export const ApiKeyView = z.extend(ApiKeyInput, {
  /** Truncated to the hour; null before the first use. */
  lastUsedAt: z.nullable(z.string()),
});
export type ApiKeyView = z.infer<typeof ApiKeyView>;

/** A key with its new secret, which no later answer contains. */
export const IssuedApiKey = z.extend(ApiKeyView, { secret: z.optional(z.string()) });

const { replace: _, delete: __, ...keyVerbs } = crud('access:key:read', 'access:key:manage');

export const apiKey = defineKind({
  documentPath: ['apiKeys'],
  schema: ApiKey,
  references: [{ path: 'memberId', to: 'member' }],
  events: { path: 'api-keys', actions: edits, read: ['access:key:read'] },
  managed: {
    path: 'api-keys',
    noun: 'API key',
    label: { en: 'API key', ar: 'مفتاح API' },
    // Keys are revoked, never removed.
    verbs: keyVerbs,
    hasOwnFunctions: true,
    idPrefix: 'key_',
    input: ApiKeyInput,
    view: ApiKeyView,
    words: {
      record: 'An API key, without its secret.',
      input: 'An API key to create. Missing properties get their defaults.',
    },
  },
});

export const accessKinds = { member, apiKey };

/** A point in time as RFC 3339, read as milliseconds since 1970. */
const instant = () => {
  const error = 'Must be a time such as 2026-01-31T09:00:00Z.';
  return z
    .pipe(
      z.string().check(z.refine((text) => utcTime(text) !== undefined, { error, abort: true })),
      z.transform((text) => Date.parse(utcTime(text) ?? '')),
    )
    .register(parameterRules, { schema: { type: 'string', format: 'date-time' }, rule: error });
};

/** Events are written with changes, and belong to no document. */
export const auditEvent = defineKind({
  schema: AuditEvent,
  managed: {
    path: 'audit-events',
    noun: 'audit event',
    label: { en: 'Event', ar: 'حدث' },
    verbs: reads('audit:event:read'),
    hasOwnFunctions: true,
    idPrefix: 'evt_',
    listParameters: {
      recordKind: {
        schema: z.optional(z.string()),
        text: 'Only changes of records of this kind, such as `menu-products`.',
      },
      recordId: {
        schema: z.optional(z.string()),
        text: 'Only changes of records with this id; for an entry, `modelId/id`.',
      },
      actorId: {
        schema: z.optional(z.string()),
        text: 'Only changes by this key or member; `operator` for commands and imports.',
      },
      action: {
        schema: z.optional(AuditAction),
        text: 'Only events of this action, such as `delete` or `signIn`.',
      },
      since: { schema: z.optional(instant()), text: 'Only changes at this time or later (RFC 3339).' },
      until: { schema: z.optional(instant()), text: 'Only changes before this time (RFC 3339).' },
    },
    words: { record: 'An audit event.' },
  },
});
