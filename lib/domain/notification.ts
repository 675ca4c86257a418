import * as z from 'zod/mini';
import { orNull } from './defaults.ts';
import { RecordId } from './identifier.ts';
import { TimeStamp } from './time-stamp.ts';

/** What the workspace is told of: so far, that a form was answered (lib/spec/interface.md section 4.9). */
export const Notification = z.strictObject({
  id: RecordId,
  type: z.enum(['form_response']),
  formId: RecordId,
  formResponseId: RecordId,
  readAt: orNull(TimeStamp),
  createdAt: TimeStamp,
});
export type Notification = z.infer<typeof Notification>;
