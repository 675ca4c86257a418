import * as z from 'zod/mini';
import { Form } from '#lib/domain/forms/form.ts';
import { FormResponse, FormResponseView } from '#lib/domain/forms/form-response.ts';
import { Notification } from '#lib/domain/messaging/notification.ts';
import { TimeStamp } from '#lib/domain/text/time-stamp.ts';
import { flag } from '#lib/http/query.ts';
import { created, crud, defineKind, reads } from './define-kind.ts';

const form = defineKind({
  documentPath: ['forms'],
  schema: Form,
  unique: 'slug',
  localized: ['title', 'fields[].title', 'fields[].validations.options[].label', 'fields[].validations.message'],
  managed: {
    path: 'forms',
    noun: 'form',
    verbs: crud('forms:form:manage', 'forms:form:manage'),
    idPrefix: 'form_',
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
  managed: {
    path: 'form-responses',
    noun: 'form response',
    verbs: { ...reads('forms:response:read'), delete: { permissions: ['forms:response:delete'] } },
    idPrefix: 'res_',
    listParameters: {
      formId: z.optional(z.string()),
      since: z.optional(TimeStamp),
      until: z.optional(TimeStamp),
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
    verbs: {
      ...reads('notifications:notification:read'),
      update: { permissions: ['notifications:notification:read', 'notifications:notification:update'] },
    },
    idPrefix: 'not_',
    listParameters: { unread: z.optional(flag()) },
    words: { record: 'A notification as it is stored.' },
  },
});

export const formKinds = { form };
export const responseKinds = { formResponse, notification };
