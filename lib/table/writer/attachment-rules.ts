import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { newPageTags } from '../messaging/conversation-files.ts';
import { orphanedObjectWrite } from '../messaging/pending-attachment.ts';
import { planOf, type Rules, recordRules } from './record-rules.ts';

/**
 * Files, which are only removed. The object of one is queued for the sweep, so that none stays behind, and the pages of
 * messages that show it get new tags.
 */
export const attachmentRules: Rules = {
  ...recordRules,
  plan: (scope, change, stored) =>
    planOf(scope, change, stored, async (before) => ({
      writes: {
        object: orphanedObjectWrite(scope, before as Attachment, Date.now()),
        pages: await newPageTags(scope.table.uncached(), scope, change.id),
      },
    })),
};
