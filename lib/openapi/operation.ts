import type { EndpointFunction } from '#lib/endpoints.ts';
import type { Endpoint, KeyLocation, MemberPermission } from '#lib/http/declaration.ts';
import { mayBeAbsent, memberRuleOf } from '#lib/http/endpoint.ts';
import { jsonSchemas } from './components.ts';
import type { Description } from './description.ts';
import { compact, type Json, schemaRef } from './json-schema.ts';
import { nameOf } from './named-schemas.ts';
import { parametersOf } from './parameters.ts';
import { hasNoBody, responsesOf } from './responses.ts';

/** Recorded responses by the name of their example. */
export type CapturedResponses = Readonly<Record<string, Json>>;

/** The operations of an endpoint, one for each method, with their schemas. */
export interface Operations {
  readonly byMethod: Readonly<Record<string, Json>>;
  readonly schemas: Readonly<Record<string, Json>>;
}

export function operationsOf(
  { name, endpoint }: Pick<EndpointFunction, 'name' | 'endpoint'>,
  description: Description,
  captured: CapturedResponses,
): Operations {
  const response = schemaOf(`${pascalCase(name)}Answer`, endpoint.response, 'output');
  const body =
    endpoint.body && schemaOf(`${pascalCase(name)}Body`, endpoint.body, 'input', description.body?.properties);
  const operation = {
    tags: [description.tag],
    summary: endpoint.summary,
    description: [description.text, permissionsText(endpoint)].filter(Boolean).join('\n\n'),
    security: securityOf(endpoint).map((scheme) => ({ [scheme]: [] })),
    parameters: parametersOf(endpoint, description),
    requestBody: requestBody(description, body?.schema, !endpoint.body || !mayBeAbsent(endpoint.body)),
  };
  const byMethod = endpoint.methods.map((method, index) => {
    const operationId = `${camelCase(name)}${index === 0 ? '' : pascalCase(method.toLowerCase())}`;
    const responses = responsesOf(endpoint, description, response.schema, examplesFor(description, captured));
    return [method.toLowerCase(), compact({ operationId, ...operation, responses })] as const;
  });
  const hasJsonResponse = !description.success.content && !hasNoBody(endpoint);
  return {
    byMethod: Object.fromEntries(byMethod),
    schemas: { ...(hasJsonResponse && response.own), ...(description.body?.content ? {} : body?.own) },
  };
}

function schemaOf(
  name: string,
  schema: Endpoint['response'],
  io: 'input' | 'output',
  descriptions: Readonly<Record<string, Json>> = {},
) {
  const schemaName = nameOf(schema);
  if (schemaName) return { schema: schemaRef(schemaName), own: {} };
  const own = jsonSchemas({ [name]: schema }, io)[name] as Json;
  const properties = (own['properties'] ?? {}) as Readonly<Record<string, Json>>;
  for (const property of Object.keys(descriptions)) {
    if (!Object.hasOwn(properties, property)) throw new Error(`${name} has no property ${property}.`);
  }
  const described = Object.entries(properties).map(
    ([property, schema]) => [property, { ...schema, ...descriptions[property] }] as const,
  );
  const withDescriptions = { ...own, ...(described.length > 0 && { properties: Object.fromEntries(described) }) };
  return { schema: schemaRef(name), own: { [name]: withDescriptions } };
}

function requestBody(
  { body, examples = [] }: Description,
  schema: Json | undefined,
  required: boolean,
): Json | undefined {
  if (!body) return undefined;
  const withBody = examples.filter((example) => example.body !== undefined);
  const shown = Object.fromEntries(withBody.map(({ name, summary, body: value }) => [name, { summary, value }]));
  const content = body.content ?? { 'application/json': schema };
  return {
    description: body.description,
    required,
    content: Object.fromEntries(
      Object.entries(content).map(([type, contentSchema]) => [
        type,
        { schema: contentSchema, ...(type === 'application/json' && withBody.length > 0 && { examples: shown }) },
      ]),
    ),
  };
}

function examplesFor({ examples = [] }: Description, captured: CapturedResponses): Record<string, Json> {
  return Object.fromEntries(
    examples.flatMap(({ name, summary }) => {
      const response = captured[name];
      return response && 'body' in response ? [[name, { summary, value: response['body'] }]] : [];
    }),
  );
}

const memberTexts: Readonly<Record<MemberPermission, string>> = {
  required: ', of the key and of its member',
  ifPresent: ', of the key and of its member, if it has one',
  ignored: '',
};

function permissionsText(endpoint: Endpoint): string {
  const { permissions, permissionsNeeded = 'all' } = endpoint;
  if (permissions.length === 0) return '';
  const names = permissions.map((permission) => `\`${permission}\``);
  const areAllNeeded = permissionsNeeded === 'all';
  const joined = names.join(areAllNeeded ? ' and ' : ' or ');
  const noun = areAllNeeded && names.length > 1 ? 'permissions' : 'permission';
  return `Needs the ${noun} ${joined}${memberTexts[memberRuleOf(endpoint)]}.`;
}

/**
 * The credentials that an endpoint accepts: keys in each location that it reads, and the other kinds in its
 * declaration.
 */
export const securityOf = ({ keyIn, callers = [] }: Pick<Endpoint, 'keyIn' | 'callers'>): SchemeName[] => [
  ...keyIn,
  ...(callers.includes('session') ? (['cookieAuth'] as const) : []),
  ...(callers.includes('visitor') ? (['visitorToken'] as const) : []),
];

type SchemeName = KeyLocation | 'cookieAuth' | 'visitorToken';

/** A security scheme for each kind of credential, API keys first: the reference page asks for them in this order. */
export const securitySchemes: Readonly<Record<SchemeName, Json>> = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The preferred way: `Authorization: Bearer <API_KEY>`.',
  },
  'x-api-key': { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The key in a separate header.' },
  query: {
    type: 'apiKey',
    in: 'query',
    name: 'apiKey',
    description:
      'The key in the URL. Menu and form routes accept it only here. Elsewhere prefer a header, because URLs end up in logs.',
  },
  cookieAuth: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-session',
    description:
      "The session of a signed-in member in a browser. On a local server, the cookie's name is `session`. If a request also contains a key, only the key counts.",
  },
  visitorToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      "The token of a visitor of a website, from `POST /api/v1/connect/visitor-sessions`: `Authorization: Bearer <token>`. It gives access to its own conversation for an hour, only from the website's pages.",
  },
};

const pascalCase = (name: string): string => name.replaceAll(/(?:^|-)([a-z0-9])/g, (_, first) => first.toUpperCase());
const camelCase = (name: string): string => pascalCase(name).replace(/^./, (first) => first.toLowerCase());
