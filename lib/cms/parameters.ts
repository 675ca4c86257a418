import * as z from 'zod/mini';
import { type NamedFields, parseFieldList } from '#lib/domain/cms/field-list.ts';
import { parameterRules } from '#lib/http/query.ts';
import { flag, wholeNumber } from '#lib/http/query-parameters.ts';

/** Depth of relation expansion (lib/spec/interface.md section 8). */
export const maxDepthDefault = 3;

const fieldList = z
  .pipe(
    z.string(),
    z.transform((text, context): NamedFields | undefined => {
      const parsed = parseFieldList(text);
      if ('list' in parsed) return parsed.list && { names: parsed.list, text };
      const { code, message } = parsed.issue;
      context.issues.push({ code: 'custom', input: text, message, params: { code } });
      return undefined;
    }),
  )
  .register(parameterRules, {
    rule: 'Must be names separated by commas, with the fields of a relation in parentheses: `name,mentor(name,friends(id))`. At most 200 names, 6 levels and 4 KB. It may be given in several parameters.',
    isList: true,
  });

/** The parameters that select the shown fields of an entry (lib/spec/interface.md section 4.1). */
export const entryParameters = {
  fields: z.optional(fieldList),
  includeHidden: z._default(z.optional(flag()), false),
  maxDepth: z.optional(wholeNumber({ min: 0, max: 6 })),
};

/**
 * An entry in an answer: its id, and beside it the selected system fields and fields (lib/spec/decisions.md section 3).
 */
export const EntryView = z.looseObject({ id: z.string() });
