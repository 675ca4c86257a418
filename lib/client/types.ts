import type * as z from 'zod/mini';
import type { endpoint as aiReplyStream } from '#functions/ai-reply-stream/endpoint.ts';
import type { endpoint as attachmentsUpload } from '#functions/attachments-upload/endpoint.ts';
import type { endpoint as cmsEntriesList } from '#functions/cms-entries-list/endpoint.ts';
import type { endpoint as cmsEntryGet } from '#functions/cms-entry-get/endpoint.ts';
import type { endpoint as formGet } from '#functions/form-get/endpoint.ts';
import type { endpoint as menuCategoriesList } from '#functions/menu-categories-list/endpoint.ts';
import type { endpoint as menuProductsList } from '#functions/menu-products-list/endpoint.ts';
import type { FieldList } from '#lib/domain/field-list.ts';
import type { Endpoint } from '#lib/http/endpoint.ts';

export type { ReplyEvent } from '#lib/messaging/reply-event.ts';

/** A parameter as callers pass it: a field list is a string, a list of ids an array. */
type Given<Value> = Value extends FieldList ? string : Value extends ReadonlySet<infer Item> ? readonly Item[] : Value;
type ParametersOf<E extends Endpoint> = {
  readonly [Name in keyof z.output<E['query']>]?: Given<NonNullable<z.output<E['query']>[Name]>> | undefined;
};
type AnswerOf<E extends Endpoint> = z.output<E['response']>;

export type ListEntriesParameters = ParametersOf<typeof cmsEntriesList>;
export type EntryParameters = ParametersOf<typeof cmsEntryGet>;
export type ListProductsParameters = ParametersOf<typeof menuProductsList>;
export type ListCategoriesParameters = ParametersOf<typeof menuCategoriesList>;

export type Entry = AnswerOf<typeof cmsEntryGet>;
export type ProductPage = AnswerOf<typeof menuProductsList>;
export type Product = ProductPage['data'][number];
export type CategoryPage = AnswerOf<typeof menuCategoriesList>;
export type Category = CategoryPage['data'][number];
export type Form = AnswerOf<typeof formGet>;
export type UploadedFile = AnswerOf<typeof attachmentsUpload>['files'][number];
export type ReplyQuestion = z.input<NonNullable<(typeof aiReplyStream)['body']>>;
