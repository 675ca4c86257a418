import type { OpenApiDocument } from '#lib/openapi/document.ts';
import type { Json } from '#lib/openapi/json-schema.ts';
import { typeOf } from './schema-type.ts';

/** Names in the client that differ from the schema's name in the API description. */
const renamed = {
  ProductPage: 'MenuProductsListAnswer',
  CategoryPage: 'MenuCategoriesListAnswer',
  ReplyQuestion: 'AiReplyStreamBody',
} as const;

/** Operation ids by the client's name for their query parameters. */
const parameterTypes = {
  ListEntriesParameters: 'cmsEntriesList',
  EntryParameters: 'cmsEntryGet',
  ListProductsParameters: 'menuProductsList',
  ListCategoriesParameters: 'menuCategoriesList',
} as const;

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Json }[];
}

/** Declares the types that `types.ts` imports from the endpoints, so that the package does not need those. */
export function clientTypes({ paths, components }: OpenApiDocument): string {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods)) as unknown as Operation[];
  const declared = [
    ...Object.entries(components.schemas).map(([name, schema]) => [name, typeOf(schema)]),
    ...Object.entries(renamed),
    ...Object.entries(parameterTypes).map(([name, id]) => [
      name,
      queryType(operations.find(({ operationId }) => operationId === id)),
    ]),
  ];
  return declared.map(([name, type]) => `export type ${name} = ${type};\n`).join('');
}

function queryType(operation: Operation | undefined): string {
  const members = (operation?.parameters ?? []).flatMap(({ name, in: place, schema }) =>
    place === 'query' ? [`readonly ${name}?: ${parameterType(schema)} | undefined;`] : [],
  );
  return `{ ${members.join(' ')} }`;
}

const parameterType = (schema: Json): string =>
  schema['type'] === 'array' ? `readonly ${typeOf(schema)}` : typeOf(schema);
