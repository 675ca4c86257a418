import * as z from 'zod/mini';
import { listItems, listRule } from './comma-list.ts';
import { parameterRules } from './query.ts';

/** The parameters of a `LocaleQuery`. */
export const localeParameters = {
  locale: z.optional(z.string().register(parameterRules, { rule: 'Must be a language of the workspace, or `*`.' })),
  fallback: z.optional(
    listItems.clone().register(parameterRules, {
      ...listRule(),
      rule: 'Must be a list of languages of the workspace, or `*`, separated by commas or in several parameters.',
    }),
  ),
};
