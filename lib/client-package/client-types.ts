import type { OpenApiDocument } from '#lib/openapi/document.ts';
import type { Json } from '#lib/openapi/json-schema.ts';
import { keyParameterName } from '#lib/openapi/parameters.ts';

/** Names in the client that differ from the schema's name in the API description. */
const renamed = {
  ProductPage: 'MenuProductsListAnswer',
  CategoryPage: 'MenuCategoriesListAnswer',
  ReplyQuestion: 'AiReplyStreamBody',
  ConversationPage: 'ConversationsListAnswer',
  ConversationInput: 'ConversationOpenBody',
  ConversationChange: 'ConversationUpdateBody',
  MessagePage: 'MessagesListAnswer',
  NewMessage: 'MessageSendBody',
  ProfileChange: 'ProfileUpdateBody',
  Memberships: 'SessionMembershipsListAnswer',
  VisitorSession: 'VisitorSessionOpenAnswer',
  VisitorSessionInput: "Omit<VisitorSessionOpenBody, 'renew'>",
  StoredImage: 'Image',
  ApiKey: 'ApiKeyRecord',
  IssuedKey: 'IssuedApiKey',
  Member: 'MemberRecord',
  EventPage: 'EventsListAnswer',
  WorkspaceEvent: "EventPage['data'][number]",
  DeliveriesPage: 'WebhookDeliveriesListAnswer',
  Delivery: "DeliveriesPage['data'][number]",
  WebhookReplay: 'WebhookReplayBody',
  RecordVersion: "ManageFormsVersionsAnswer['data'][number]",
  DeletedRecord: "DeletedRecordsListAnswer['data'][number]",
  NewApiKey: "Partial<Omit<ApiKey, 'lastUsedAt'>> & Pick<ApiKey, 'name'>",
} as const;

/** Operation ids by the client's name for their query parameters. */
const parameterTypes = {
  ListEntriesParameters: 'cmsEntriesList',
  EntryParameters: 'cmsEntryGet',
  FormParameters: 'formGet',
  ListProductsParameters: 'menuProductsList',
  ListCategoriesParameters: 'menuCategoriesList',
  ListConversationsParameters: 'conversationsList',
  ListMessagesParameters: 'messagesList',
  ListRecordsParameters: 'accessKeysList',
  ListEventsParameters: 'auditEventsList',
  FollowParameters: 'eventsList',
  DeliveriesParameters: 'webhookDeliveriesList',
} as const;

/** The type of a value in one language; `InLocale` is that of a whole answer. */
const allLanguages = '{ [language: string]: string }';

/**
 * The record in a body. The description has one schema for a part of a record in answers and bodies, but in a body the
 * members of parts may be absent, and languages null.
 */
const bodyTypes = `type NewRecord<Input> = { [Name in keyof Input]: Part<Input[Name]> };
type Part<Value> = Value extends readonly (infer Item)[] ? Part<Item>[]
  : Value extends object ? { [Name in keyof Value]?: Part<Value[Name]> | null } : Value;
`;

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> };
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Json }[];
}

/** Declares the types that `types.ts` imports from the endpoints, so that the package does not need those. */
export function clientTypes({ paths, components }: OpenApiDocument): string {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods)) as unknown as Operation[];
  const declared = [
    ...Object.entries(components.schemas).map(([name, schema]) => [
      name,
      name === 'LocalizedText' ? allLanguages : typeOf(schema),
    ]),
    ...Object.entries(renamed),
    ...Object.entries(parameterTypes).map(([name, id]) => [
      name,
      queryType(operations.find(({ operationId }) => operationId === id)),
    ]),
  ];
  declared.push(['ManagedRecords', managedRecords(paths as unknown as Paths)]);
  const types = declared.map(([name, type]) => `export type ${name} = ${type};\n`);
  return `import type { EntryFilter } from './filter.js';\n${bodyTypes}${types.join('')}`;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** The kinds with a list whose operation has their name, such as `manageMenuProductsList`. */
function managedRecords(paths: Paths): string {
  const members = Object.entries(paths).flatMap(([path, { get: list, post }]) => {
    const [, name] = /^manage([A-Z]\w*)List$/.exec(list?.operationId ?? '') ?? [];
    if (name === undefined) return [];
    const body = post?.requestBody?.content['application/json']?.schema;
    const input = body ? `NewRecord<${typeOf(body)}>` : 'never';
    const parts = {
      path: JSON.stringify(path.split('/').at(-1)),
      record: `Manage${name}ListAnswer['data'][number]`,
      input,
      query: queryType(list),
    };
    const described = Object.entries(parts).map(([part, type]) => `readonly ${part}: ${type};`);
    return [`readonly ${name.charAt(0).toLowerCase()}${name.slice(1)}: { ${described.join(' ')} };`];
  });
  return `{ ${members.join(' ')} }`;
}

function queryType(operation: Operation | undefined): string {
  const members = (operation?.parameters ?? []).flatMap(({ name, in: location, schema }) =>
    location === 'query' && name !== keyParameterName
      ? [`readonly ${name}?: ${parameterType(schema)} | undefined;`]
      : [],
  );
  return `{ ${members.join(' ')} }`;
}

const parameterType = (schema: Json): string =>
  schema['type'] === 'object'
    ? 'EntryFilter'
    : schema['type'] === 'array'
      ? `readonly ${typeOf(schema)}`
      : typeOf(schema);

const namesOf: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The TypeScript type of a schema of the API description. @throws for an unsupported schema type */
function typeOf(schema: Json): string {
  const { $ref, const: value, enum: values, type } = schema;
  if (typeof $ref === 'string') return $ref.split('/').at(-1) as string;
  if (value !== undefined) return JSON.stringify(value);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choices)) return choices.map(typeOf).join(' | ');
  if (Array.isArray(type)) return type.map((name) => typeOf({ ...schema, type: name })).join(' | ');
  if (type === 'object') return objectType(schema);
  if (type === 'array') return `(${typeOf((schema['items'] ?? {}) as Json)})[]`;
  if (type === undefined) return 'unknown';
  const name = namesOf[String(type)];
  if (name === undefined) throw new Error(`There is no type for ${type}.`);
  return name;
}

function objectType({ properties = {}, required = [], additionalProperties: others }: Json): string {
  const needed = new Set(required as readonly string[]);
  const members = Object.entries(properties as Readonly<Record<string, Json>>).map(
    ([name, schema]) => `${comment(schema)}${JSON.stringify(name)}${needed.has(name) ? '' : '?'}: ${typeOf(schema)};`,
  );
  if (others !== undefined && others !== false) members.push(`[name: string]: ${othersType(others, members.length)};`);
  return `{ ${members.join(' ')} }`;
}

/** An index signature must fit all named properties; `unknown` fits every type. */
const othersType = (others: unknown, members: number): string =>
  others === true || members > 0 ? 'unknown' : typeOf(others as Json);

const comment = ({ description }: Json): string =>
  typeof description === 'string' ? `/** ${description.replaceAll('*/', '* /')} */ ` : '';
