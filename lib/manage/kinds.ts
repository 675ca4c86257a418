import type * as z from 'zod/mini';
import { FormResponseView } from '#lib/domain/forms/form-response.ts';
import { type ManagedKindName, managedKind, managedKinds, type Verb } from '#lib/domain/manage/managed-kinds.ts';
import type { EndpointKind } from '#lib/http/endpoint.ts';
import { documentKinds, type Kind } from '#lib/records/document-kinds.ts';
import { listParametersOf, recordPage } from './list-parameters.ts';

/** The kind of a workspace document whose records a managed kind has. */
export const documentKindOf = {
  workspace: 'workspace',
  'cms-models': 'cmsModel',
  'cms-entries': 'cmsEntry',
  'menu-categories': 'menuCategory',
  'menu-products': 'menuProduct',
  forms: 'form',
  'form-responses': 'formResponse',
  notifications: 'notification',
  attachments: 'attachment',
  agents: 'agent',
  channels: 'channel',
  customers: 'customer',
} as const satisfies Readonly<Record<ManagedKindName, Kind>>;

/** The schemas of stored records, by their names in the API description. */
export const recordSchemas = {
  CmsModelRecord: documentKinds.cmsModel.schema,
  CmsEntryRecord: documentKinds.cmsEntry.schema,
  MenuCategoryRecord: documentKinds.menuCategory.schema,
  MenuProductRecord: documentKinds.menuProduct.schema,
  FormRecord: documentKinds.form.schema,
  FormResponseRecord: FormResponseView,
  NotificationRecord: documentKinds.notification.schema,
  AttachmentRecord: documentKinds.attachment.schema,
  AgentRecord: documentKinds.agent.schema,
  ChannelRecord: documentKinds.channel.schema,
  CustomerRecord: documentKinds.customer.schema,
} as const;

/** A new schema object, because the API description would show a clone as a reference to the original. */
const separate = <S extends z.ZodMiniType>(schema: S): S => schema.clone(schema._zod.def as never);

/** The records in request bodies. Members with defaults may be absent. */
export const recordInputs = {
  CmsModelInput: separate(documentKinds.cmsModel.schema),
  CmsEntryInput: separate(documentKinds.cmsEntry.schema),
  MenuCategoryInput: separate(documentKinds.menuCategory.schema),
  MenuProductInput: separate(documentKinds.menuProduct.schema),
  FormInput: separate(documentKinds.form.schema),
  AgentInput: separate(documentKinds.agent.schema),
  ChannelInput: separate(documentKinds.channel.schema),
  CustomerInput: separate(documentKinds.customer.schema),
} as const;

/** The schemas of the kinds that are created through the service. */
const inputOf: Readonly<Partial<Record<ManagedKindName, z.ZodMiniType>>> = {
  workspace: documentKinds.workspace.schema,
  'cms-models': recordInputs.CmsModelInput,
  'cms-entries': recordInputs.CmsEntryInput,
  'menu-categories': recordInputs.MenuCategoryInput,
  'menu-products': recordInputs.MenuProductInput,
  forms: recordInputs.FormInput,
  agents: recordInputs.AgentInput,
  channels: recordInputs.ChannelInput,
  customers: recordInputs.CustomerInput,
};

/** The schema of a record in a request body, where time stamps may be absent. */
export const recordSchemaOf = (name: ManagedKindName): z.ZodMiniType => documentKinds[documentKindOf[name]].schema;

const summaries: Readonly<Record<Verb, (noun: string) => string>> = {
  list: (noun) => `List stored ${pluralOf(noun)}.`,
  get: (noun) => `Get ${withArticle(noun)} as stored.`,
  create: (noun) => `Create ${withArticle(noun)}.`,
  replace: (noun) => `Create or replace ${withArticle(noun)}.`,
  update: (noun) => `Update ${withArticle(noun)} (JSON Merge Patch).`,
  delete: (noun) => `Delete ${withArticle(noun)}.`,
};

const pluralOf = (noun: string): string => noun.replace(/y$/, 'ie').concat('s');
const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** The kinds that offer a verb, as the declaration of its function needs them. */
export function kindsWith(verb: Verb): Readonly<Record<string, EndpointKind>> {
  const names = Object.keys(managedKinds) as ManagedKindName[];
  return Object.fromEntries(
    names.flatMap((name): [string, EndpointKind][] => {
      const { noun, verbs } = managedKind(name);
      const needs = verbs[verb];
      if (!needs) return [];
      const schema = name === 'form-responses' ? FormResponseView : recordSchemaOf(name);
      return [[name, { summary: summaries[verb](noun), ...needs, ...partsOf(verb, name, schema) }]];
    }),
  );
}

function partsOf(verb: Verb, name: ManagedKindName, schema: z.ZodMiniType): Partial<EndpointKind> {
  if (verb === 'list') return { query: listParametersOf(name), response: recordPage(schema) };
  if (verb === 'delete') return {};
  const body = verb === 'create' || verb === 'replace' ? inputOf[name] : undefined;
  return { ...(body && { body }), response: schema };
}
