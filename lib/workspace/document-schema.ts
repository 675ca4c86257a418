import * as z from 'zod/mini';
import { Field } from '#lib/domain/cms/cms-model.ts';
import { Image } from '#lib/domain/files/image.ts';
import { FormField } from '#lib/domain/forms/form-view.ts';
import { SelectOption } from '#lib/domain/forms/select-option.ts';
import { NutritionFacts, OptionSet, PriceOption } from '#lib/domain/menu/menu-records.ts';
import { Localized } from '#lib/domain/text/localized.ts';
import { TimeStamp } from '#lib/domain/text/time-stamp.ts';
import { type DocumentKind, documentKinds, documentPathOf, isDocumentKind, kindOf } from '#lib/kinds/kinds.ts';

type Json = Readonly<Record<string, unknown>>;

const version = 'https://json-schema.org/draft/2020-12/schema';

/** Shared parts of records. */
const parts = { Localized, Image, Field, FormField, NutritionFacts, OptionSet, PriceOption, SelectOption };

/** A time with a zone. The import also checks that the day exists. */
const timeStamp = { pattern: '^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|[+-]\\d{2}:\\d{2})$' };

/**
 * The JSON Schema of a workspace document in the `.json` encoding, generated from the import's own schemas. The import
 * also checks rules that JSON Schema cannot express, such as unique slugs and existing references.
 */
export function documentSchema(): Json {
  const registry = z.registry<{ id: string }>();
  const head = { version: z.literal(1), exportedAt: z.optional(TimeStamp) };
  registry.add(
    documentOf(head, (kind) => kindOf(kind).schema),
    { id: 'document' },
  );
  for (const kind of documentKinds) registry.add(kindOf(kind).schema, { id: kind });
  for (const [id, schema] of Object.entries(parts)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => `#/$defs/${id}`,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === TimeStamp) Object.assign(jsonSchema, timeStamp);
      // The entry's model defines its values.
      if (zodSchema._zod.def.type === 'custom') jsonSchema.type = 'object';
    },
  });
  const { document, ...others } = schemas as Readonly<Record<string, Json>>;
  const named = Object.entries(others).map(([name, schema]) => [name, definition(name, schema)] as const);
  const title = 'Workspace document';
  return { $schema: version, title, ...definition('document', document ?? {}), $defs: Object.fromEntries(named) };
}

/**
 * The schema of a document: the workspace, and a list of each other kind, some of them in objects of lists.
 * @param head of its other members
 */
export function documentOf(
  head: Readonly<Record<'version' | 'exportedAt', z.ZodMiniType>>,
  recordOf: (kind: DocumentKind) => z.ZodMiniType,
) {
  const groups = Map.groupBy(documentKinds, (kind) => documentPathOf(kind)[0]);
  const members = [...groups].map(([name, kinds]) => {
    const lists = kinds.map((kind) => [documentPathOf(kind)[1], z.optional(z.array(recordOf(kind)))] as const);
    const [[member, list]] = lists as [(typeof lists)[number]];
    return [name, member === undefined ? list : z.optional(z.strictObject(Object.fromEntries(lists)))] as const;
  });
  return z.strictObject({ ...head, ...Object.fromEntries(members), workspace: recordOf('workspace') });
}

/** A record without an id gets one at import, except the workspace. */
function definition(name: string, { $schema, $id, ...schema }: Json): Json {
  if (name === 'workspace' || !isDocumentKind(name)) return schema;
  return { ...schema, required: ((schema['required'] ?? []) as string[]).filter((member) => member !== 'id') };
}
