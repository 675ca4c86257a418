import * as z from 'zod/mini';
import { Form } from '#lib/domain/forms/form.ts';
import { formTexts } from '#lib/domain/forms/form-view.ts';
import { Notification } from '#lib/domain/messaging/notification.ts';
import { flag } from '#lib/http/query-parameters.ts';
import { created, crud, defineKind, edits, reads } from './define-kind.ts';

export const form = defineKind({
  documentPath: ['forms'],
  schema: Form,
  unique: 'slug',
  localized: formTexts,
  events: { path: 'forms', actions: edits, read: ['forms:form:read', 'forms:form:manage'] },
  managed: {
    path: 'forms',
    noun: 'form',
    label: { en: 'Form', ar: 'نموذج' },
    verbs: crud('forms:form:manage', 'forms:form:manage'),
    hasHistory: true,
    idPrefix: 'form_',
    searched: ['id', 'title', 'slug'],
    words: { record: 'A form as it is stored, with its notifications.' },
  },
});

export const notification = defineKind({
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
  },
});

export const formKinds = { form };
export const notificationKinds = { notification };
