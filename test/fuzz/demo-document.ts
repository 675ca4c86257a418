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
 * The served description with constraints of the demo workspace, so that the service accepts all data that the
 * description allows. It uses extensions of the fuzzer for constraints that OpenAPI cannot express.
 * @param s3Key of a stored file
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

/**
 * Parameters whose values a fuzzer cannot find: a key, cursors and ids of earlier responses, and fields of a database.
 */
const unguessable: ReadonlySet<string> = new Set([keyParameterName, 'cursor', 'filter', 'after', 'before']);

/** Updates declare these parameters only to refuse them. */
const ofReading: ReadonlySet<string> = new Set(['locale', 'fallback']);

/** JSON Schema cannot describe the notation of a number, or a list as the text of a parameter. */
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

/** An empty parameter counts as absent, so a choice also allows an empty value. */
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
  // A part may have any bytes.
  const files = { type: 'array', items: { format: 'binary' }, minItems: 1, maxItems: 5 };
  return { ...content, schema: { ...content.schema, properties: { files } } };
}

/** The fuzzer validates each event of a stream against the schema, and its `data` against `contentSchema`. */
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
