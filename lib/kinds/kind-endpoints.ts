import * as z from 'zod/mini';
import type { RouteParts, Routes } from '#lib/http/declaration.ts';
import { wholeNumber } from '#lib/http/query-parameters.ts';
import type { KindDeclaration, ListParameter, Managed, RequiredPermissions, Verb } from './define-kind.ts';

/** The parameters of every list (lib/spec/additions.md section 2). */
const common = {
  limit: z._default(z.optional(wholeNumber({ min: 1, max: 100 })), 20),
  cursor: z.optional(z.string()),
  q: z.optional(z.string()),
};

export const listParameters = z.object(common);
export type ListValues = z.output<typeof listParameters>;

/** A page of records; `next` is the cursor of the page after it. */
export const recordPage = <S extends z.ZodMiniType>(record: S) =>
  z.object({ data: z.array(record), next: z.nullable(z.string()) });

/** A new schema object, because the API description would show a clone as a reference to the original. */
const separate = (schema: z.ZodMiniType): z.ZodMiniType => schema.clone(schema._zod.def as never);

/** The record in answers. */
export const viewOf = ({ schema, managed: own }: KindDeclaration): z.ZodMiniType => own?.view ?? schema;

const inputs = new Map<KindDeclaration, z.ZodMiniType>();

/** The record in request bodies; undefined if there are none. Members with defaults may be absent. */
export function inputOf(declared: KindDeclaration): z.ZodMiniType | undefined {
  const { schema, managed: own } = declared;
  if (!own?.verbs.create) return undefined;
  const input = inputs.get(declared) ?? separate(own.input ?? schema);
  inputs.set(declared, input);
  return input;
}

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

export const wordsOf = ({ noun, words }: Managed) => {
  const subject = withArticle(noun).replace(/^a/, 'A');
  const input = `${subject} to store. Missing properties get their defaults.`;
  return { record: `${subject} as it is stored.`, input, ...words };
};

const isOfOne = (verb: Verb): boolean => verb !== 'list' && verb !== 'create';

/** The routes of a function for a verb: one for each of the kinds that offers it. */
export const routesOfKinds = (verb: Verb, kinds: readonly KindDeclaration[]): Routes =>
  Object.fromEntries(
    kinds.flatMap((declared): [string, RouteParts][] => {
      const { managed: own } = declared;
      if (!own?.verbs[verb]) return [];
      const { path, noun, idPath = '{id}' } = own;
      const parts = {
        path: ['/api/v1/manage', path, ...(isOfOne(verb) ? [idPath] : [])].join('/'),
        summary: summaries[verb](noun),
        operation: `manage-${path}-${verb}`,
        ...partsOf(verb, declared),
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

/**
 * Whether an answer also depends on other stored data than the record. Then its tag proves no copy to be current, and
 * GET is never 304: localized texts are shown in the languages that the workspace has.
 */
export const isNeverUnchanged = ({ localized, managed: own }: KindDeclaration): boolean =>
  localized !== undefined || own?.isNeverUnchanged === true;

type Parts = Pick<RouteParts, 'permissions' | 'permissionsNeeded' | 'body' | 'response' | 'isNeverUnchanged'>;

/** What the declaration of a kind says about one of its routes. */
export function partsOf(
  verb: 'list',
  declared: KindDeclaration,
): Parts & { readonly query: z.ZodMiniType; readonly response: z.ZodMiniType };
export function partsOf(verb: Verb, declared: KindDeclaration): Parts;
export function partsOf(verb: Verb, declared: KindDeclaration): Parts & Pick<RouteParts, 'query'> {
  const { verbs = {} } = declared.managed ?? {};
  const needs: RequiredPermissions = { permissions: [], ...verbs[verb] };
  if (verb === 'list')
    return {
      ...needs,
      query: z.object({ ...common, ...parametersOf(declared, ({ schema }) => schema) }),
      response: recordPage(viewOf(declared)),
    };
  if (verb === 'delete') return needs;
  if (verb === 'get')
    return { ...needs, response: viewOf(declared), ...(isNeverUnchanged(declared) && { isNeverUnchanged: true }) };
  const body = verb === 'create' || verb === 'replace' ? inputOf(declared) : undefined;
  const response = (verb === 'create' ? declared.managed?.issued : undefined) ?? viewOf(declared);
  return { ...needs, ...(body && { body }), response };
}
