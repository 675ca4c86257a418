import * as z from 'zod/mini';
import { FormResponse, FormResponseView } from '#lib/domain/forms/form-response.ts';
import { Attachment } from '#lib/domain/messaging/attachment.ts';
import { QueryTime } from '#lib/domain/text/time-stamp.ts';
import { created, defineKind, reads } from './define-kind.ts';

const attachment = defineKind({
  documentPath: ['attachments'],
  schema: z.partial(Attachment, created),
  unique: 's3Key',
  managed: {
    path: 'attachments',
    noun: 'attachment',
    label: { en: 'File', ar: 'ملف' },
    verbs: {
      ...reads('messaging:conversation:read'),
      delete: { permissions: ['messaging:conversation:engage'] },
    },
    idPrefix: 'att_',
    order: 'newest',
    words: {
      record:
        'A file as it is stored. Its bytes are at its `s3Key`. A text may have a `charset`, as its sender declared it.',
    },
  },
});

const formResponse = defineKind({
  documentPath: ['formResponses'],
  schema: z.partial(FormResponse, created),
  references: [{ path: 'formId', to: 'form', mayBeRemoved: true }],
  events: { path: 'form-responses', actions: ['created', 'deleted'], read: ['forms:response:read'] },
  managed: {
    path: 'form-responses',
    noun: 'form response',
    label: { en: 'Response', ar: 'رد على نموذج' },
    verbs: { ...reads('forms:response:read'), delete: { permissions: ['forms:response:delete'] } },
    idPrefix: 'res_',
    order: 'newest',
    searched: ['id', 'formId', 'answers'],
    listParameters: {
      formId: { schema: z.optional(z.string()), text: 'Only responses to the form with this id.' },
      since: {
        schema: z.optional(QueryTime),
        text: 'Only responses at this time or later, such as `2026-01-31T09:00:00Z`.',
        matches: ({ createdAt }, since) => String(createdAt) >= String(since),
      },
      until: {
        schema: z.optional(QueryTime),
        text: 'Only responses before this time.',
        matches: ({ createdAt }, until) => String(createdAt) < String(until),
      },
    },
    isNeverUnchanged: true,
    view: FormResponseView,
    words: {
      record:
        'A stored response to a form. `files` contains the files of FILE answers, by `ref`. A deleted file has only its `id`.',
    },
  },
});

/** The kinds whose records visitors send. Management reads and deletes them. */
export const receivedKinds = { attachment, formResponse };
