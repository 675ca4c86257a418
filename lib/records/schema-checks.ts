import type { Issue } from '#lib/domain/input.ts';
import { languageIn } from '#lib/domain/text/language-tag.ts';
import type { Checks } from './record-lookup.ts';
import { valuesAt } from './values-at.ts';

/** The rules of what makes the schema, beyond shape, languages and references. */
export const schemaChecks = {
  /** Stored texts have the stored spelling, and are found by it. */
  workspace: async ({ languages }, lookup) => {
    const stored = await lookup.storedLanguages();
    const failures = (Array.isArray(languages) ? languages : []).flatMap((language: unknown, index): Issue[] => {
      const own = typeof language === 'string' ? languageIn(stored, language) : undefined;
      if (own === undefined || own === language) return [];
      return [{ path: `languages.${index}`, code: 'not_allowed', message: `Must be spelled ${own}, as it is stored.` }];
    });
    return { failures };
  },

  cmsModel: async (record, lookup) => {
    const warnings: Issue[] = [];
    for (const { path, value } of valuesAt(record, 'fields[].relation.to')) {
      if (typeof value !== 'string' || !value.startsWith('cms:')) continue;
      if (await lookup.has('cmsModel', value.slice('cms:'.length))) continue;
      warnings.push({
        path,
        code: 'not_found',
        message: `Must be a database of the workspace; there is no ${value} yet.`,
      });
    }
    return { warnings };
  },
} satisfies Checks;
