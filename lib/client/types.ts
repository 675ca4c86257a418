import type * as z from 'zod/mini';
import type { endpoint as accessCreate } from '#functions/access-create/endpoint.ts';
import type { endpoint as accessGet } from '#functions/access-get/endpoint.ts';
import type { endpoint as accessList } from '#functions/access-list/endpoint.ts';
import type { endpoint as aiReplyStream } from '#functions/ai-reply-stream/endpoint.ts';
import type { endpoint as attachmentsAnnounce } from '#functions/attachments-announce/endpoint.ts';
import type { endpoint as attachmentsUpload } from '#functions/attachments-upload/endpoint.ts';
import type { endpoint as cmsEntriesList } from '#functions/cms-entries-list/endpoint.ts';
import type { endpoint as cmsEntryGet } from '#functions/cms-entry-get/endpoint.ts';
import type { endpoint as conversationGet } from '#functions/conversation-get/endpoint.ts';
import type { endpoint as conversationOpen } from '#functions/conversation-open/endpoint.ts';
import type { endpoint as conversationUpdate } from '#functions/conversation-update/endpoint.ts';
import type { endpoint as conversationsList } from '#functions/conversations-list/endpoint.ts';
import type { endpoint as eventsList } from '#functions/events-list/endpoint.ts';
import type { endpoint as formGet } from '#functions/form-get/endpoint.ts';
import type { endpoint as mediaAnnounce } from '#functions/media-announce/endpoint.ts';
import type { endpoint as mediaConfirm } from '#functions/media-confirm/endpoint.ts';
import type { endpoint as menuCategoriesList } from '#functions/menu-categories-list/endpoint.ts';
import type { endpoint as menuProductsList } from '#functions/menu-products-list/endpoint.ts';
import type { endpoint as messageSend } from '#functions/message-send/endpoint.ts';
import type { endpoint as messagesList } from '#functions/messages-list/endpoint.ts';
import type { endpoint as profileGet } from '#functions/profile-get/endpoint.ts';
import type { endpoint as profileUpdate } from '#functions/profile-update/endpoint.ts';
import type { endpoint as sessionMembershipsList } from '#functions/session-memberships-list/endpoint.ts';
import type { endpoint as visitorSessionOpen } from '#functions/visitor-session-open/endpoint.ts';
import type { endpoint as webhookDeliveriesList } from '#functions/webhook-deliveries-list/endpoint.ts';
import type { endpoint as webhookReplay } from '#functions/webhook-replay/endpoint.ts';
import type { endpoint as webhookRotate } from '#functions/webhook-rotate/endpoint.ts';
import type { NamedFields } from '#lib/domain/cms/field-list.ts';
import type { Endpoint, RoutesOf } from '#lib/http/declaration.ts';
import type { FamilyMember } from '#lib/http/query.ts';
import type { Managed } from '#lib/kinds/define-kind.ts';
import type { DeclarationOf, ManagedKind } from '#lib/kinds/kinds.ts';
import type { EntryFilter } from './filter.ts';

export type { DeletedRecord, RecordVersion } from '#lib/domain/record-version.ts';
export type { ReplyEvent } from '#lib/messaging/reply-event.ts';

/**
 * A parameter in the form that callers pass. A field list is a string, a list of ids an array, a parameter family an
 * object.
 */
type ParameterInput<Value> = Value extends NamedFields
  ? string
  : Value extends ReadonlySet<infer Item>
    ? readonly Item[]
    : Value extends readonly FamilyMember[]
      ? EntryFilter
      : Value;
type ParametersOf<E extends Endpoint> = {
  readonly [Name in keyof z.output<E['query']>]?: ParameterInput<NonNullable<z.output<E['query']>[Name]>> | undefined;
};
type AnswerOf<E extends Pick<Endpoint, 'response'>> = z.output<E['response']>;

type CamelCase<Path extends string> = Path extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Path;
type NameOf<Kind extends ManagedKind> = DeclarationOf<Kind>['managed'] extends { readonly hasOwnFunctions: true }
  ? never
  : CamelCase<DeclarationOf<Kind>['managed']['path']>;
type SchemaOf<M extends Managed, Role extends 'input' | 'view', Schema> =
  M extends Readonly<Record<Role, infer Own>> ? Own : Schema;
/** A record without an id gets a new one. */
type NewRecord<Input> = Omit<Input, 'id'> & { id?: string | undefined };
type ListQuery<M extends Managed> = {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly q?: string | undefined;
} & {
  readonly [Name in keyof M['listParameters']]?: M['listParameters'][Name] extends { readonly schema: infer Schema }
    ? ParameterInput<NonNullable<z.output<Schema>>> | undefined
    : never;
};

/**
 * The kinds of `client.manage` by their names: the path, a record in answers and in bodies, and the parameters of the
 * list.
 */
export type ManagedRecords = {
  readonly [Kind in ManagedKind as NameOf<Kind>]: {
    readonly path: DeclarationOf<Kind>['managed']['path'];
    readonly record: z.output<SchemaOf<DeclarationOf<Kind>['managed'], 'view', DeclarationOf<Kind>['schema']>>;
    readonly input: 'create' extends keyof DeclarationOf<Kind>['managed']['verbs']
      ? NewRecord<z.input<SchemaOf<DeclarationOf<Kind>['managed'], 'input', DeclarationOf<Kind>['schema']>>>
      : never;
    readonly query: ListQuery<DeclarationOf<Kind>['managed']>;
  };
};

export type ListEntriesParameters = ParametersOf<typeof cmsEntriesList>;
export type EntryParameters = ParametersOf<typeof cmsEntryGet>;
export type FormParameters = ParametersOf<typeof formGet>;
export type ListProductsParameters = ParametersOf<typeof menuProductsList>;
export type ListCategoriesParameters = ParametersOf<typeof menuCategoriesList>;

export type Entry = AnswerOf<typeof cmsEntryGet>;
export type ProductPage = AnswerOf<typeof menuProductsList>;
export type Product = ProductPage['data'][number];
export type CategoryPage = AnswerOf<typeof menuCategoriesList>;
export type Category = CategoryPage['data'][number];
export type Form = AnswerOf<typeof formGet>;
export type AnnouncedFile = AnswerOf<typeof attachmentsAnnounce>['files'][number];
export type UploadedFile = AnswerOf<typeof attachmentsUpload>['files'][number];
/** A public image, as records refer to it. */
export type StoredImage = AnswerOf<typeof mediaConfirm>;
/** An announced image: the address for its content, and the time when that address expires. */
export type AnnouncedImage = AnswerOf<typeof mediaAnnounce>;
export type ReplyQuestion = z.input<NonNullable<(typeof aiReplyStream)['body']>>;

export type Conversation = AnswerOf<typeof conversationGet>;
export type ConversationPage = AnswerOf<typeof conversationsList>;
export type Message = AnswerOf<typeof messageSend>;
export type MessagePage = AnswerOf<typeof messagesList>;
export type ListConversationsParameters = ParametersOf<typeof conversationsList>;
export type ListMessagesParameters = ParametersOf<typeof messagesList>;
export type ConversationInput = z.input<NonNullable<(typeof conversationOpen)['body']>>;
export type ConversationChange = z.input<NonNullable<(typeof conversationUpdate)['body']>>;
export type VisitorSession = AnswerOf<typeof visitorSessionOpen>;
export type VisitorSessionInput = Omit<z.input<NonNullable<(typeof visitorSessionOpen)['body']>>, 'renew'>;
export type NewMessage = z.input<NonNullable<(typeof messageSend)['body']>>;

/** What has changed. `next` is the position to go on from. */
export type EventPage = AnswerOf<typeof eventsList>;
export type WorkspaceEvent = EventPage['data'][number];
export type FollowParameters = ParametersOf<typeof eventsList>;
export type ListRecordsParameters = ParametersOf<typeof accessList>;
/** Times are RFC 3339. */
export type ListEventsParameters = ListRecordsParameters & {
  readonly recordKind?: string;
  readonly recordId?: string;
  readonly actorId?: string;
  readonly since?: string;
  readonly until?: string;
};
export type ApiKey = AnswerOf<RoutesOf<typeof accessGet>['api-keys']>;
export type DeliveriesParameters = ParametersOf<typeof webhookDeliveriesList>;
export type DeliveriesPage = AnswerOf<typeof webhookDeliveriesList>;
export type Delivery = DeliveriesPage['data'][number];
export type WebhookReplay = z.input<NonNullable<(typeof webhookReplay)['body']>>;
export type IssuedWebhook = AnswerOf<typeof webhookRotate>;
export type IssuedKey = AnswerOf<RoutesOf<typeof accessCreate>['api-keys']>;
export type NewApiKey = Partial<Omit<ApiKey, 'lastUsedAt'>> & Pick<ApiKey, 'name'>;
export type Member = AnswerOf<RoutesOf<typeof accessGet>['members']>;
export type AuditEvent = AnswerOf<RoutesOf<typeof accessGet>['audit-events']>;
/** The signed-in member. */
export type Profile = AnswerOf<typeof profileGet>;
export type Memberships = AnswerOf<typeof sessionMembershipsList>;
export type ProfileChange = z.input<NonNullable<(typeof profileUpdate)['body']>>;
