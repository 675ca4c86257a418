import * as z from 'zod/mini';
import type { Issue } from '../input.ts';
import { orNull } from '../schema-rules.ts';
import { RecordId } from '../text/identifier.ts';
import { TimeStamp } from '../text/time-stamp.ts';

/**
 * A notification of a form response (lib/spec/interface.md section 4.9), of a hand-over to the team (lib/spec/additions.md
 * section 3), or of a webhook that the service has disabled (lib/spec/additions.md section 5). `notificationIssues` checks the properties of each type.
 */
export const Notification = z.strictObject({
  id: RecordId,
  type: z.enum(['form_response', 'hand_over', 'webhook_disabled']),
  formId: z.optional(RecordId),
  formResponseId: z.optional(RecordId),
  conversationId: z.optional(RecordId),
  webhookId: z.optional(RecordId),
  readAt: orNull(TimeStamp),
  createdAt: TimeStamp,
});
export type Notification = z.infer<typeof Notification>;

const membersOf: Readonly<Record<string, readonly string[]>> = {
  form_response: ['formId', 'formResponseId'],
  hand_over: ['conversationId'],
  webhook_disabled: ['webhookId'],
};

/** Issues for missing members, and for members of another type. */
export function notificationIssues(record: Readonly<Record<string, unknown>>): Issue[] {
  const { type } = record;
  const ofType = typeof type === 'string' && Object.hasOwn(membersOf, type) ? membersOf[type] : undefined;
  if (!ofType) return [];
  const all = Object.values(membersOf).flat();
  return all.flatMap((path): Issue[] => {
    const isRequired = ofType.includes(path);
    const isPresent = record[path] !== undefined;
    if (isRequired === isPresent) return [];
    return isRequired
      ? [{ path, code: 'required', message: `Is required of ${type}.` }]
      : [{ path, code: 'not_allowed', message: `Must be absent of ${type}.` }];
  });
}
