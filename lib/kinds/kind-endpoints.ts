import * as z from 'zod/mini';
import type { RouteParts, Routes } from '#lib/http/declaration.ts';
import { wholeNumber } from '#lib/http/query-parameters.ts';
import type { KindDeclaration, ListParameter, RequiredPermissions, Verb } from './define-kind.ts';
import { kindOf, type ManagedKind, managed, managedKinds, sharedKinds, writtenKinds } from './kinds.ts';

/** The parameters of every list (lib/spec/additions.md section 2). */
const common = {
  limit: z._default(z.optional(wholeNumber({ min: 1, max: 100 })), 20),
  cursor: z.optional(z.string()),
  q: z.optional(z.string()),
};

export const listParameters = z.object(common);

/** A page of records; `next` is the cursor of the page after it. */
export const recordPage = <S extends z.ZodMiniType>(record: S) =>
  z.object({ data: z.array(record), next: z.nullable(z.string()) });

/** A new schema object, because the API description would show a clone as a reference to the original. */
const separate = (schema: z.ZodMiniType): z.ZodMiniType => schema.clone(schema._zod.def as never);

/** The record in answers. */
export const viewOf = ({ schema, managed: own }: KindDeclaration): z.ZodMiniType => own?.view ?? schema;

/** The records in request bodies, by the paths of their kinds. Members with defaults may be absent. */
export const inputs = new Map(
  managedKinds
    .filter((kind) => managed(kind).words.input !== undefined)
    .map((kind) => [managed(kind).path, separate(managed(kind).input ?? kindOf(kind).schema)]),
);

const summaries: Readonly<Record<Verb, (noun: string) => string>> = {
  list: (noun) => `List stored ${pluralOf(noun)}.`,
  get: (noun) => `Get ${withArticle(noun)} as stored.`,
  create: (noun) => `Create ${withArticle(noun)}.`,
  replace: (noun) => `Create or replace ${withArticle(noun)}.`,
  update: (noun) => `Update ${withArticle(noun)} (JSON Merge Patch).`,
  delete: (noun) => `Delete ${withArticle(noun)}.`,
};

const pluralOf = (noun: string): string => noun.replace(/y$/, 'ie').concat('s');
export const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

const isOfOne = (verb: Verb): boolean => verb !== 'list' && verb !== 'create';

const kindsOf = (verb: Verb): readonly ManagedKind[] =>
  verb === 'list' || verb === 'get' ? sharedKinds : writtenKinds;

/**
 * The routes of a function for a verb: one for each kind that offers it.
 * @param kinds those that the function serves; without them it is that for all kinds
 */
export const routesOfKinds = (verb: Verb, kinds = kindsOf(verb)): Routes =>
  Object.fromEntries(
    kinds.flatMap((kind): [string, RouteParts][] => {
      const { path, noun, idPath = '{id}', verbs } = managed(kind);
      if (!verbs[verb]) return [];
      const parts = {
        path: ['/api/v1/manage', path, ...(isOfOne(verb) ? [idPath] : [])].join('/'),
        summary: summaries[verb](noun),
        operation: `manage-${path}-${verb}`,
        ...partsOf(verb, kindOf(kind)),
      };
      return [[path, parts]];
    }),
  );

/** The texts of the parameters that only this kind's list has, by name. */
export const textsOf = (declared: KindDeclaration): Readonly<Record<string, string>> =>
  parametersOf(declared, ({ text }) => text);

const parametersOf = <Part>(
  { managed: own }: KindDeclaration,
  part: (parameter: ListParameter) => Part,
): Record<string, Part> =>
  Object.fromEntries(Object.entries(own?.listParameters ?? {}).map(([name, parameter]) => [name, part(parameter)]));

type Parts = Pick<RouteParts, 'permissions' | 'permissionsNeeded' | 'body' | 'response' | 'isNeverUnchanged'>;

/** What the declaration of a kind says about one of its routes. */
export function partsOf(
  verb: 'list',
  declared: KindDeclaration,
): Parts & { readonly query: z.ZodMiniType; readonly response: z.ZodMiniType };
export function partsOf(verb: Verb, declared: KindDeclaration): Parts;
export function partsOf(verb: Verb, declared: KindDeclaration): Parts & Pick<RouteParts, 'query'> {
  const { path = '', verbs = {}, isNeverUnchanged } = declared.managed ?? {};
  const { permissions = [], permissionsNeeded }: Partial<RequiredPermissions> = verbs[verb] ?? {};
  const needs = { permissions, ...(permissionsNeeded && { permissionsNeeded }) };
  if (verb === 'list')
    return {
      ...needs,
      query: z.object({ ...common, ...parametersOf(declared, ({ schema }) => schema) }),
      response: recordPage(viewOf(declared)),
    };
  if (verb === 'delete') return needs;
  if (verb === 'get') return { ...needs, response: viewOf(declared), ...(isNeverUnchanged && { isNeverUnchanged }) };
  const body = verb === 'create' || verb === 'replace' ? inputs.get(path) : undefined;
  const response = (verb === 'create' ? declared.managed?.issued : undefined) ?? viewOf(declared);
  return { ...needs, ...(body && { body }), response };
}
