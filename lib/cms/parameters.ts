import * as z from 'zod/mini';
import { type FieldList, parseFieldList } from '#lib/domain/field-list.ts';
import { flag, parameterRules, wholeNumber } from '#lib/http/query.ts';

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
    rule: 'Must be names with commas between them, those of a relation in parentheses after its name: `name,mentor(name,friends(id))`. At most 200 names, 6 levels and 4 KB.',
  });

/** The parameters that select the shown fields of an entry (lib/spec/interface.md section 4.1). */
export const entryParameters = {
  fields: z.optional(fieldList),
  includeHidden: z._default(z.optional(flag()), false),
  maxDepth: z.optional(wholeNumber({ min: 0, max: 6 })),
};
