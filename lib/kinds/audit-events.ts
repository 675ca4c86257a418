import * as z from 'zod/mini';
import { AuditAction, AuditEvent } from '#lib/domain/access/audit-event.ts';
import { queryTimes, utcTime } from '#lib/domain/text/utc-time.ts';
import { parameterRules } from '#lib/http/query.ts';
import { defineKind, reads } from './define-kind.ts';

/** A point in time as RFC 3339, read as milliseconds since 1970. */
const instant = () => {
  const error = `Must be a time such as ${queryTimes}.`;
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
