import * as z from 'zod/mini';
import type { Endpoint } from '#lib/http/declaration.ts';
import { parameterNames, parameterRules, shapeOf } from '#lib/http/query.ts';
import { commonParameters } from './common-texts.ts';
import type { Description, ExampleCall, HeaderDescription } from './description.ts';
import { compact, type Json, text } from './json-schema.ts';

export const keyParameterName = 'apiKey';

/** All parameters of an operation: path, query and headers. */
export function parametersOf(endpoint: Endpoint, description: Description): Json[] {
  const { examples = [] } = description;
  return [
    ...pathParameters(endpoint.path).map((name) => ({
      name,
      in: 'path',
      required: true,
      description: description.path?.[name as never] ?? defaultTexts[name],
      schema: { ...text, minLength: 1 },
      ...examplesOf(examples, (example) => example.path?.[name]),
    })),
    ...parameterNames(endpoint.query).map((name) => queryParameter(endpoint, name, description)),
    ...headerNames(endpoint).map((name) => ({
      name,
      in: 'header',
      description: description.headers?.[name as never] ?? defaultTexts[name],
      schema: readParameter(memberOf(endpoint.headers as z.ZodMiniType, name)).schema,
      ...examplesOf(examples, (example) => example.headers?.[name]),
    })),
    ...(endpoint.keyIn.join() === 'query' ? [keyParameter] : []),
  ];
}

const defaultTexts: Readonly<Record<string, string>> = commonParameters;

/** The security scheme also describes it, but many generated clients send keys only in headers. */
const keyParameter: Json = {
  name: keyParameterName,
  in: 'query',
  description: 'The API key, for clients that do not send it by themselves.',
  schema: text,
};

export const headerOf = ({ description, schema = text, isOptional = false }: HeaderDescription): Json => ({
  description,
  ...(!isOptional && { required: true }),
  schema,
});

const headerNames = ({ headers }: Endpoint): readonly string[] => (headers ? parameterNames(headers) : []);

/** The names of a path template, in its order. */
const pathParameters = (path: string): string[] => [...path.matchAll(/\{([^}+]+)\+?\}/g)].map(([, name = '']) => name);

function queryParameter({ query }: Endpoint, name: string, { query: texts, examples = [] }: Description): Json {
  const { schema, rule, fallback } = readParameter(memberOf(query, name));
  const isList = schema['type'] === 'array';
  return compact({
    name,
    in: 'query',
    required: isRequired(memberOf(query, name)) || undefined,
    description: [texts?.[name] ?? defaultTexts[name], rule].filter(Boolean).join(' '),
    schema: fallback === undefined ? schema : { ...schema, default: fallback },
    // Without an example the reference page makes one up, and its first call is 400.
    ...(schema['type'] === 'object' && { style: 'deepObject', explode: true, example: {} }),
    ...examplesOf(examples, ({ query: exampleQuery }) => {
      const value = exampleQuery?.[name];
      return isList ? value?.split(',') : value === undefined ? undefined : typed(value, schema);
    }),
  });
}

const isRequired = ({ _zod }: z.ZodMiniType): boolean => !['optional', 'default'].includes(_zod.def.type);

/** Converts a default to its type: 5 instead of "5". */
const typed = (value: string, { type }: Json): unknown =>
  type === 'integer' || type === 'number' || type === 'boolean' ? JSON.parse(value) : value;

function examplesOf(examples: readonly ExampleCall[], valueIn: (example: ExampleCall) => unknown): Json {
  const found = examples.flatMap((example) => {
    const value = valueIn(example);
    return value === undefined ? [] : [[example.name, { summary: example.summary, value }] as const];
  });
  return found.length > 0 ? { examples: Object.fromEntries(found) } : {};
}

interface ReadParameter {
  readonly schema: Json;
  readonly rule: string | undefined;
  readonly fallback: unknown;
}

/** Unwraps an optional parameter: its schema and its default. */
function readParameter(schema: z.ZodMiniType): ReadParameter {
  const parameterRule = parameterRules.get(schema);
  if (parameterRule) return { schema: text, fallback: undefined, ...parameterRule };
  const def = schema._zod.def as { type: string; innerType?: z.ZodMiniType; defaultValue?: unknown; entries?: object };
  if (def.type === 'default' && def.innerType) {
    return { ...readParameter(def.innerType), fallback: def.defaultValue };
  }
  if (def.type === 'optional' && def.innerType) return readParameter(def.innerType);
  if (def.type !== 'string' && def.type !== 'enum') throw new Error(`A parameter of the type ${def.type} has no rule.`);
  const { $schema, ...plain } = z.toJSONSchema(schema, { unrepresentable: 'throw' }) as Record<string, unknown>;
  const choices = Object.values(def.entries ?? {});
  const rule =
    choices.length > 0 ? `Must be one of ${choices.map((choice) => `\`${choice}\``).join(', ')}.` : undefined;
  return { schema: plain, rule, fallback: undefined };
}

function memberOf(parameters: z.ZodMiniType, name: string): z.ZodMiniType {
  const member = shapeOf(parameters)[name];
  if (!member) throw new Error(`There is no parameter ${name}.`);
  return member;
}
