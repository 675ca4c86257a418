import * as z from 'zod/mini';
import { scheduleShape } from '../schedule-shape.ts';
import { orTrue } from '../schema-rules.ts';
import { RecordId } from '../text/identifier.ts';
import { TimeStamp } from '../text/time-stamp.ts';
import { EntryValues } from './entry-values.ts';

/** No entry may have this id, because its path is the list's (lib/spec/decisions.md section 3). */
const reservedEntryId = 'list';

/**
 * A CMS entry of a document (lib/spec/workspace-document.md section 4): relations are ids, localized values objects of
 * language to text.
 */
export const CmsEntry = z.strictObject({
  id: RecordId.check(
    z.refine((id) => id !== reservedEntryId, {
      error: 'Must not be "list": that path is the list of entries.',
      params: { code: 'not_allowed' },
    }),
  ),
  modelId: RecordId,
  published: orTrue(),
  ...scheduleShape,
  createdAt: TimeStamp,
  updatedAt: TimeStamp,
  values: z._default(EntryValues, () => ({})),
});
export type CmsEntry = z.infer<typeof CmsEntry>;
