import * as z from 'zod/mini';
import { ApiKey } from '#lib/domain/access/api-key.ts';
import { Member } from '#lib/domain/access/member.ts';
import { CmsEntry } from '#lib/domain/cms/cms-entry.ts';
import { Model } from '#lib/domain/cms/cms-model.ts';
import { Form } from '#lib/domain/forms/form.ts';
import { FormResponse } from '#lib/domain/forms/form-response.ts';
import { isObject, type JsonObject, textOf } from '#lib/domain/json-object.ts';
import { MenuCategory } from '#lib/domain/menu/menu-category.ts';
import { MenuProduct } from '#lib/domain/menu/menu-product.ts';
import { Agent } from '#lib/domain/messaging/agent.ts';
import { Attachment } from '#lib/domain/messaging/attachment.ts';
import { Channel } from '#lib/domain/messaging/channel.ts';
import { Conversation } from '#lib/domain/messaging/conversation.ts';
import { Customer } from '#lib/domain/messaging/customer.ts';
import { Message } from '#lib/domain/messaging/message.ts';
import { Notification } from '#lib/domain/messaging/notification.ts';
import { Workspace } from '#lib/domain/workspace.ts';

/** A member with the id of another record. */
export interface Reference {
  /** `a.b` or `a[].b`, where `[]` means every item. */
  readonly path: string;
  readonly to: string | ((record: JsonObject) => string);
  /** A missing record is a warning, not a failure. */
  readonly mayBeAbsent?: boolean;
  /** A missing record is a warning in an export, because an import can remove the record and leave this one. */
  readonly mayBeRemoved?: boolean;
}

interface KindRow {
  /** The path of the records in the `.json` encoding. */
  readonly documentPath: readonly [string] | readonly [string, string];
  readonly schema: z.ZodMiniObject;
  /** The unique member of the kind. */
  readonly unique?: 'slug' | 'identifier' | 's3Key' | 'email';
  /** The paths of localized texts. */
  readonly localized?: readonly string[];
  readonly references?: readonly Reference[];
}

const created = { createdAt: true } as const;
const createdAndUpdated = { createdAt: true, updatedAt: true } as const;

/** The kind of a message's sender. A system has no record. */
const senderKind = ({ senderType }: JsonObject): string => (senderType === 'system' ? '' : textOf(senderType));

/** The kind of a conversation's assignee. */
const assigneeKind = ({ assignee }: JsonObject): string => (isObject(assignee) ? textOf(assignee['type']) : '');

/**
 * The kinds of records of a workspace document (lib/spec/workspace-document.md section 4), in its order. Time stamps
 * may be missing; the import fills them. document-rules.ts has the special rules of a kind.
 */
export const documentKinds = {
  workspace: { documentPath: ['workspace'], schema: Workspace },
  member: { documentPath: ['members'], schema: Member, unique: 'email' },
  apiKey: { documentPath: ['apiKeys'], schema: ApiKey, references: [{ path: 'memberId', to: 'member' }] },
  cmsModel: {
    documentPath: ['cms', 'models'],
    schema: Model,
    localized: ['name', 'fields[].name', 'fields[].options[].label'],
  },
  cmsEntry: { documentPath: ['cms', 'entries'], schema: z.partial(CmsEntry, createdAndUpdated) },
  menuCategory: {
    documentPath: ['menu', 'categories'],
    schema: z.partial(MenuCategory, createdAndUpdated),
    unique: 'slug',
    localized: ['name', 'description', 'thumbnail.alt', 'smallThumbnail.alt', 'showcase.alt'],
  },
  menuProduct: {
    documentPath: ['menu', 'products'],
    schema: z.partial(MenuProduct, createdAndUpdated),
    unique: 'slug',
    localized: [
      'name',
      'intro',
      'description',
      'thumbnail.alt',
      'images[].alt',
      'priceOptions[].name',
      'optionSets[].name',
      'optionSets[].options[].name',
    ],
    references: [
      { path: 'categoryId', to: 'menuCategory' },
      { path: 'suggestions[]', to: 'menuProduct', mayBeAbsent: true },
    ],
  },
  form: {
    documentPath: ['forms'],
    schema: Form,
    unique: 'slug',
    localized: ['title', 'fields[].title', 'fields[].validations.options[].label', 'fields[].validations.message'],
  },
  channel: {
    documentPath: ['messaging', 'channels'],
    schema: Channel,
    unique: 'identifier',
    references: [{ path: 'agentId', to: 'agent', mayBeAbsent: true }],
  },
  customer: { documentPath: ['messaging', 'customers'], schema: Customer },
  agent: { documentPath: ['messaging', 'agents'], schema: Agent },
  conversation: {
    documentPath: ['messaging', 'conversations'],
    schema: z.partial(Conversation, { assignee: true, ...createdAndUpdated }),
    references: [
      { path: 'parentId', to: 'conversation', mayBeRemoved: true },
      { path: 'channelId', to: 'channel', mayBeRemoved: true },
      { path: 'customerId', to: 'customer', mayBeRemoved: true },
      { path: 'assignee.id', to: assigneeKind, mayBeAbsent: true },
    ],
  },
  message: {
    documentPath: ['messaging', 'messages'],
    schema: z.partial(Message, created),
    references: [
      { path: 'conversationId', to: 'conversation', mayBeRemoved: true },
      // A channel without conversations can be deleted, although replies may still refer to it.
      { path: 'channelId', to: 'channel', mayBeAbsent: true },
      { path: 'senderId', to: senderKind, mayBeAbsent: true },
      { path: 'attachments[]', to: 'attachment', mayBeAbsent: true },
      { path: 'inReplyTo', to: 'message', mayBeAbsent: true },
    ],
  },
  attachment: { documentPath: ['attachments'], schema: z.partial(Attachment, created), unique: 's3Key' },
  formResponse: {
    documentPath: ['formResponses'],
    schema: z.partial(FormResponse, created),
    references: [{ path: 'formId', to: 'form', mayBeRemoved: true }],
  },
  notification: {
    documentPath: ['notifications'],
    schema: z.partial(Notification, created),
    references: [
      // A notification stays after the deletion of its subject.
      { path: 'formId', to: 'form', mayBeAbsent: true },
      { path: 'formResponseId', to: 'formResponse', mayBeAbsent: true },
      { path: 'conversationId', to: 'conversation', mayBeAbsent: true },
    ],
  },
} as const satisfies Record<string, KindRow>;

export type Kind = keyof typeof documentKinds;

/** A record as the import writes it, with its id and all defaults. Missing time stamps are undefined. */
export type ParsedRecord = {
  [K in Kind]: { readonly kind: K; readonly record: z.output<(typeof documentKinds)[K]['schema']> };
}[Kind];

/** The row of a kind, without literal types. */
export const kindRow = (kind: Kind): KindRow => documentKinds[kind];

export const kinds = Object.keys(documentKinds) as Kind[];

export const isKind = (text: unknown): text is Kind => typeof text === 'string' && Object.hasOwn(documentKinds, text);
