import type * as z from 'zod/mini';
import { EntryView } from '#lib/cms/parameters.ts';
import { ConversationView, MessageView } from '#lib/conversations/schemas.ts';
import { AuditEvent } from '#lib/domain/access/audit-event.ts';
import { EntryValues } from '#lib/domain/cms/entry-values.ts';
import { Image } from '#lib/domain/files/image.ts';
import { AnnouncedImage } from '#lib/domain/files/public-image.ts';
import { AnnouncedFile, DirectUpload, UploadedFile } from '#lib/domain/files/uploaded-file.ts';
import { SubmittedAnswers } from '#lib/domain/forms/form-answers.ts';
import { FormField, FormView, Validations } from '#lib/domain/forms/form-view.ts';
import { SelectOption } from '#lib/domain/forms/select-option.ts';
import { NutritionFacts, OptionSet, PriceOption } from '#lib/domain/menu/menu-records.ts';
import { Localized } from '#lib/domain/text/localized.ts';
import { IssuedApiKey } from '#lib/kinds/access.ts';
import { inputOf, viewOf, wordsOf } from '#lib/kinds/kind-endpoints.ts';
import { kindOf, type ManagedKind, managed, managedKinds } from '#lib/kinds/kinds.ts';
import { IssuedWebhook } from '#lib/kinds/webhooks.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';
import { CategoryView, Pagination, ProductView } from '#lib/menu/menu-views.ts';
import { ProfileView } from '#lib/session/profile-view.ts';

/** `MenuProductRecord` */
const componentName = (kind: ManagedKind, role: 'Record' | 'Input'): string =>
  `${kind.charAt(0).toUpperCase()}${kind.slice(1)}${role}`;

/** The schemas of records by their names in the API description, each with its words. */
export const recordComponents: ReadonlyMap<string, { readonly schema: z.ZodMiniType; readonly words: string }> =
  new Map(
    managedKinds
      .filter((kind) => kind !== 'workspace')
      .flatMap((kind) => {
        const { record, input } = wordsOf(managed(kind));
        const schema = inputOf(kindOf(kind));
        return [
          [componentName(kind, 'Record'), { schema: viewOf(kindOf(kind)), words: record }] as const,
          ...(schema ? [[componentName(kind, 'Input'), { schema, words: input }] as const] : []),
        ];
      }),
  );

/** The schemas that are components of the document, besides the records of kinds. */
const ownSchemas = {
  LocalizedText: Localized,
  Image,
  PriceOption,
  OptionSet,
  NutritionFacts,
  Product: ProductView,
  Category: CategoryView,
  Pagination,
  Entry: EntryView,
  EntryValues,
  SelectOption,
  Validations,
  FormField,
  Form: FormView,
  FormAnswers: SubmittedAnswers,
  UploadedFile,
  Conversation: ConversationView,
  Message: MessageView,
  RecordMembers: UncheckedRecordBody,
  DirectUpload,
  AnnouncedFile,
  AnnouncedImage,
  IssuedApiKey,
  IssuedWebhook,
  AuditEvent,
  Profile: ProfileView,
} as const satisfies Readonly<Record<string, z.ZodMiniType>>;

export type SchemaName = keyof typeof ownSchemas;

export const namedSchemas: Readonly<Record<string, z.ZodMiniType>> = {
  ...ownSchemas,
  ...Object.fromEntries([...recordComponents].map(([name, { schema }]) => [name, schema])),
};

/** The component name of a schema, if it has one. */
export const nameOf = (schema: z.ZodMiniType): string | undefined =>
  Object.keys(namedSchemas).find((name) => namedSchemas[name] === schema);
