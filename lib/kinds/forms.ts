import * as z from 'zod/mini';
import { Form } from '#lib/domain/forms/form.ts';
import { FormResponse, FormResponseView } from '#lib/domain/forms/form-response.ts';
import { Notification } from '#lib/domain/messaging/notification.ts';
import { QueryTime } from '#lib/domain/text/time-stamp.ts';
import { flag } from '#lib/http/query-parameters.ts';
import { created, crud, defineKind, edits, reads } from './define-kind.ts';

const form = defineKind({
  documentPath: ['forms'],
  schema: Form,
  unique: 'slug',
  localized: ['title', 'fields[].title', 'fields[].validations.options[].label', 'fields[].validations.message'],
  events: { path: 'forms', actions: edits, read: ['forms:form:read', 'forms:form:manage'] },
  managed: {
    path: 'forms',
    noun: 'form',
    label: { en: 'Form', ar: 'نموذج' },
    verbs: crud('forms:form:manage', 'forms:form:manage'),
    hasHistory: true,
    idPrefix: 'form_',
    searched: ['id', 'title', 'slug'],
    words: {
      record: 'A form as it is stored, with its notifications.',
      input: 'A form to store. Missing properties get their defaults.',
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

const notification = defineKind({
  documentPath: ['notifications'],
  schema: z.partial(Notification, created),
  references: [
    // A notification stays after the deletion of its subject.
    { path: 'formId', to: 'form', mayBeAbsent: true },
    { path: 'formResponseId', to: 'formResponse', mayBeAbsent: true },
    { path: 'conversationId', to: 'conversation', mayBeAbsent: true },
  ],
  managed: {
    path: 'notifications',
    noun: 'notification',
    label: { en: 'Notification', ar: 'إشعار' },
    verbs: {
      ...reads('notifications:notification:read'),
      update: { permissions: ['notifications:notification:read', 'notifications:notification:update'] },
    },
    idPrefix: 'not_',
    order: 'newest',
    searched: ['id', 'formId', 'formResponseId', 'conversationId', 'webhookId'],
    listParameters: {
      unread: {
        schema: z.optional(flag()),
        text: '`true` lists only unread notifications, `false` only others.',
        matches: ({ readAt }, unread) => unread === (readAt === null),
      },
    },
    words: { record: 'A notification as it is stored.' },
  },
});

export const formKinds = { form };
export const responseKinds = { formResponse, notification };
