import * as z from 'zod/mini';
import { parameterRules } from '#lib/http/query.ts';
import { family } from '#lib/http/query-parameters.ts';

/** The parameters that filter and sort a list of entries (lib/spec/additions.md section 1). */
export const listParameters = {
  filter: z.optional(
    family({
      schema: {
        type: 'object',
        additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
      },
      rule: 'Must be named `filter[field]` or `filter[field.operator]`, with one of the operators `eq`, `ne`, `in`, `gt`, `gte`, `lt`, `lte`, `exists`, `contains`; at most 10 of them. `filter[field][operator]` is the same. The values of `in` are separated by commas or in several parameters; in one parameter, a backslash keeps a comma.',
    }),
  ),
  sort: z.optional(
    z.string().register(parameterRules, {
      rule: 'Must be at most three fields separated by commas, with a leading `-` for descending order: `-joined,name`. It may be given in several parameters.',
      isList: true,
    }),
  ),
  search: z.optional(z.string().register(parameterRules, { rule: 'Blank text counts as absent.' })),
  cursor: z.optional(
    z.string().register(parameterRules, {
      rule: 'Must be the `x-cms-next-cursor` of a page of the same list, without `offset`.',
    }),
  ),
};
