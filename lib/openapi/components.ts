import * as z from 'zod/mini';
import { CustomerText } from '#lib/domain/messaging/customer.ts';
import { Slug } from '#lib/domain/text/slug.ts';
import { TimeStamp } from '#lib/domain/text/time-stamp.ts';
import { type Json, text, timeStamp } from './json-schema.ts';
import { namedSchemas, recordComponents, type SchemaName } from './named-schemas.ts';
import { propertyTexts, schemaTexts } from './schema-texts.ts';

/** Without its pattern, because many regular expression engines lack its Unicode classes. */
const slug = { minLength: 1, maxLength: 100, pattern: undefined };

/** JSON Schema measures code points, as the check does. */
const customerText = { maxLength: 200, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' };

const issue: Json = {
  type: 'object',
  description: schemaTexts.Issue,
  properties: {
    path: {
      ...text,
      description:
        'The parameter, the property of the body with dots (`values.name.en`), or the `ref` of a form field. Empty for the body itself.',
    },
    code: { ...text, description: 'A stable name for a program, such as `required` or `format`.' },
    message: { ...text, description: 'A sentence for a person that says what is valid.' },
  },
  required: ['path', 'code', 'message'],
  additionalProperties: false,
  examples: [{ path: 'email', code: 'format', message: 'email: Must be an e-mail address such as lina@example.com.' }],
};

/**
 * The schemas of the document's components, with those of declarations.
 * @param own schemas of declarations, by component name
 * @param io whether they describe request bodies or responses
 */
export function jsonSchemas(
  own: Readonly<Record<string, z.ZodMiniType>>,
  io: 'input' | 'output',
): Record<string, Json> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries({ ...namedSchemas, ...own }))
    if (!registry.has(schema)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      delete jsonSchema.default;
      if (zodSchema === TimeStamp) Object.assign(jsonSchema, timeStamp);
      if (zodSchema === Slug) Object.assign(jsonSchema, slug);
      if (zodSchema === CustomerText) Object.assign(jsonSchema, customerText);
      // Custom schemas check objects whose property names depend on the workspace.
      if (zodSchema._zod.def.type === 'custom')
        Object.assign(jsonSchema, { type: 'object', additionalProperties: true });
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas as Record<string, Json>).map(([name, schema]) => {
      const isInOneLanguage = name === ('LocalizedText' satisfies SchemaName) && io === 'output';
      return [name, withTexts(name, isInOneLanguage ? orInOneLanguage(schema) : schema)];
    }),
  );
}

/** A response in one language has a string or null in place of the object. */
const orInOneLanguage = ({ $schema, $id, ...inAllLanguages }: Json): Json => ({
  anyOf: [inAllLanguages, { type: 'string' }, { type: 'null' }],
});

export function componentSchemas(): Record<string, Json> {
  const inputSchemas = jsonSchemas({}, 'input');
  // Properties that are optional in a body are always in a response. A new record gets an id; the path has the id of
  // a stored one.
  const inputs = Object.entries(inputSchemas)
    .filter(([name]) => name.endsWith('Input'))
    .map(([name, schema]) => {
      const required = (schema['required'] as readonly string[] | undefined)?.filter((property) => property !== 'id');
      return [name, { ...schema, required }] as const;
    });
  return { ...jsonSchemas({}, 'output'), ...Object.fromEntries(inputs), Issue: issue };
}

function withTexts(name: string, { $schema, $id, ...schema }: Json): Json {
  const texts: Readonly<Record<string, string>> = propertyTexts[name as SchemaName] ?? {};
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>).map(
    ([property, value]) =>
      [property, texts[property] === undefined ? value : { ...value, description: texts[property] }] as const,
  );
  const description = recordComponents.get(name)?.words ?? schemaTexts[name as SchemaName];
  return {
    ...schema,
    ...(description !== undefined && { description }),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
  };
}
