import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import type { Notification } from '#lib/domain/messaging/notification.ts';
import { responsesWithFiles } from '../response-files.ts';
import { newestPage } from './newest-page.ts';

/** The responses, optionally of one form, from `since` on and before `until`. `q` searches ids and answers. */
export const responsePage = newestPage<FormResponse>('formResponse', {
  isWanted: ({ formId }, { formId: wanted }) => wanted === undefined || formId === wanted,
  timesOf: ({ since, until }) => ({ since: since as string | undefined, until: until as string | undefined }),
  texts: ({ id, formId, answers }) => [id, formId, ...Object.values(answers).flat().map(String)],
  show: responsesWithFiles,
});

export const notificationPage = newestPage<Notification>('notification', {
  isWanted: ({ readAt }, { unread }) => unread === undefined || unread === (readAt === null),
  texts: ({ id, formId, formResponseId, conversationId }) =>
    [id, formId, formResponseId, conversationId].filter((text) => text !== undefined),
});

export const attachmentPage = newestPage<Attachment>('attachment', { texts: ({ id, name }) => [id, name] });
