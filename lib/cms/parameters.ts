import * as z from 'zod/mini';
import { type FieldList, parseFieldList } from '#lib/domain/cms/field-list.ts';
import { parameterRules } from '#lib/http/query.ts';
import { family, flag, wholeNumber } from '#lib/http/query-parameters.ts';

/** Depth of relation expansion (lib/spec/interface.md section 8). */
export const maxDepthDefault = 3;

const fieldList = z
  .pipe(
    z.string(),
    z.transform((text, context): FieldList | undefined => {
      const parsed = parseFieldList(text);
      if ('list' in parsed) return parsed.list;
      const { code, message } = parsed.issue;
      context.issues.push({ code: 'custom', input: text, message, params: { code } });
      return undefined;
    }),
  )
  .register(parameterRules, {
    schema: { type: 'string' },
    rule: 'Must be names separated by commas, with the fields of a relation in parentheses: `name,mentor(name,friends(id))`. At most 200 names, 6 levels and 4 KB. It may be given in several parameters.',
    isList: true,
  });

/** The parameters that select the shown fields of an entry (lib/spec/interface.md section 4.1). */
export const entryParameters = {
  fields: z.optional(fieldList),
  includeHidden: z._default(z.optional(flag()), false),
  maxDepth: z.optional(wholeNumber({ min: 0, max: 6 })),
};

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
      schema: { type: 'string' },
      rule: 'Must be at most three fields separated by commas, with a leading `-` for descending order: `-joined,name`. It may be given in several parameters.',
      isList: true,
    }),
  ),
  search: z.optional(
    z.string().register(parameterRules, { schema: { type: 'string' }, rule: 'Blank text counts as absent.' }),
  ),
  cursor: z.optional(
    z.string().register(parameterRules, {
      schema: { type: 'string' },
      rule: 'Must be the `x-cms-next-cursor` of a page of the same list, without `offset`.',
    }),
  ),
};

/**
 * An entry in an answer: its id, and beside it the selected system fields and fields (lib/spec/decisions.md section 3).
 */
export const EntryView = z.looseObject({ id: z.string() });
