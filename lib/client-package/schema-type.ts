import type { Json } from '#lib/openapi/json-schema.ts';

const namesOf: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The TypeScript type of a schema of the API description. @throws for an unsupported schema type */
export function typeOf(schema: Json): string {
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
