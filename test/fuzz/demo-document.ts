import type { OpenApiDocument } from '#lib/openapi/document.ts';
import type { Json } from '#lib/openapi/json-schema.ts';
import { keyParameterName } from '#lib/openapi/parameters.ts';
import { chefFields, chefIds, chefValues, contactAnswers, withQuestion } from './demo-schemas.ts';

interface Operation extends Json {
  readonly parameters: readonly Parameter[];
}

interface Parameter extends Json {
  readonly name: string;
  readonly in: string;
  readonly schema: Json;
}

type Content = Readonly<Record<string, { readonly schema: Json }>>;

/**
 * The description as it is served, with what the demo workspace alone knows, so that data which the description allows
 * has to be accepted; and in the words of the fuzzer where OpenAPI has none.
 * @param s3Key of a file that is stored
 */
export function demoDocument(document: OpenApiDocument, s3Key: string): OpenApiDocument {
  const known: Readonly<Record<string, Json>> = {
    'path modelId': { enum: ['chefs'] },
    'path id': { enum: chefIds },
    'path slug': { enum: ['contact'] },
    'path key': { enum: [s3Key] },
    'path file': { enum: ['start.js', 'page.css'] },
    'query fields': { enum: chefFields },
    ...queryWords,
  };
  const paths = mapped(document.paths, (methods) =>
    mapped(methods, (operation, method) => {
      const { parameters, ...rest } = operation as Operation;
      return withContent({
        ...rest,
        parameters: parameters
          .filter(({ name }) => !unguessable.has(name) && (method === 'get' || !ofReading.has(name)))
          .map((parameter) => parameterOf(parameter, known)),
      });
    }),
  );
  const schemas = {
    ...document.components.schemas,
    EntryValues: chefValues,
    FormAnswers: contactAnswers,
    AiReplyStreamBody: withQuestion(document.components.schemas['AiReplyStreamBody'] as Json),
  };
  return { ...document, paths, components: { ...document.components, schemas } };
}

/** What no fuzzer can guess: a key, cursors and ids of an answer before, fields of a database as names of parameters. */
const unguessable: ReadonlySet<string> = new Set([keyParameterName, 'cursor', 'filter', 'after', 'before']);

/** Updates name these parameters only to refuse them. */
const ofReading: ReadonlySet<string> = new Set(['locale', 'fallback']);

/** How a number is spelled, and that a list in an address is a text, is nothing that JSON Schema could say. */
const price = { type: 'string', pattern: '^((0|[1-9][0-9]{0,9})([.][0-9]{1,3})?)?$' };
const list = { type: 'string' };
const queryWords: Readonly<Record<string, Json>> = {
  'query minPrice': price,
  'query maxPrice': price,
  'query ids': list,
  'query locale': { enum: ['en', 'ar', '*'] },
  'query fallback': { type: 'string', enum: ['en', 'ar,en', '*'] },
  'query sort': { enum: ['-createdAt', 'name,-updatedAt'] },
  'query published': { enum: ['true', 'false'] },
  'query categorySlugs': list,
};

/** An empty parameter counts as absent; of a text that says enough already. */
function parameterOf(parameter: Parameter, known: Readonly<Record<string, Json>>): Json {
  const schema = known[`${parameter.in} ${parameter.name}`] ?? parameter.schema;
  const isChoice = parameter.in === 'query' && (schema['type'] !== 'string' || schema['enum'] !== undefined);
  return { ...parameter, schema, ...(isChoice && { allowEmptyValue: true }) };
}

function withContent({ requestBody, responses, ...operation }: Json): Json {
  const body = requestBody as { readonly content: Content } | undefined;
  return {
    ...operation,
    ...(body && { requestBody: { ...body, content: mapped(body.content, bodyContent) } }),
    responses: mapped(responses as Readonly<Record<string, Json>>, (response) => ({
      ...response,
      ...(response['content'] !== undefined && { content: mapped(response['content'] as Content, answerContent) }),
    })),
  };
}

function bodyContent(content: Content[string], type: string): Json {
  if (type !== 'multipart/form-data') return content;
  // A part is bytes, whatever they spell.
  const files = { type: 'array', items: { format: 'binary' }, minItems: 1, maxItems: 5 };
  return { ...content, schema: { ...content.schema, properties: { files } } };
}

/** The fuzzer holds each event of a stream against the schema, and what stands behind `data:` against `contentSchema`. */
function answerContent(content: Content[string], type: string): Json {
  if (type !== 'text/event-stream') return content;
  const data = {
    type: 'string',
    contentMediaType: 'application/json',
    contentSchema: content.schema['contentSchema'],
  };
  return { ...content, schema: { type: 'object', properties: { data }, required: ['data'] } };
}

const mapped = <From, To>(
  object: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Record<string, To> => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
