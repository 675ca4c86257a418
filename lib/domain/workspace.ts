import * as z from 'zod/mini';
import type { Issue } from './input.ts';
import { orNull, rule } from './schema-rules.ts';
import { LanguageCode } from './text/identifier.ts';
import { languageIn, languageKey } from './text/language-tag.ts';
import { Name } from './text/name.ts';

/** The id of a workspace (lib/spec/decisions.md section 2). */
export const WorkspaceId = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, 'Must be 1 to 64 of the characters A-Z a-z 0-9 _ -.'));

const TimeZone = z.string().check(z.refine(isTimeZone, 'Must be the IANA name of a time zone, such as Asia/Riyadh.'));

/** Whether it is an IANA name. Some engines also know offsets such as `+03:00`, which are no zones. */
function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** A workspace: at most 10 languages, one of them the default (lib/spec/decisions.md section 2). */
export const Workspace = z
  .strictObject({
    id: WorkspaceId,
    name: Name,
    languages: z
      .array(LanguageCode)
      .check(
        z.minLength(1, 'Must name at least one language.'),
        z.maxLength(10, 'Must be at most 10 languages.'),
        rule(repeatedLanguages),
      ),
    defaultLanguage: LanguageCode,
    currency: orNull(z.string().check(z.regex(/^[A-Z]{3}$/, 'Must be a currency such as SAR, or null.'))),
    timeZone: z._default(TimeZone, 'UTC'),
  })
  .check(
    rule(invalidDefaultLanguage),
    z.overwrite((workspace) => {
      const { languages, defaultLanguage } = workspace;
      return { ...workspace, defaultLanguage: languageIn(languages, defaultLanguage) ?? defaultLanguage };
    }),
  );
export type Workspace = z.infer<typeof Workspace>;

function repeatedLanguages(languages: unknown): Issue[] {
  if (!Array.isArray(languages)) return [];
  const spellings = languages.map((language) => (typeof language === 'string' ? languageKey(language) : language));
  if (new Set(spellings).size === languages.length) return [];
  return [{ path: '', code: 'duplicate', message: 'Must not contain duplicates; case does not count.' }];
}

function invalidDefaultLanguage(value: unknown): Issue[] {
  const { languages, defaultLanguage } = (value ?? {}) as Record<string, unknown>;
  if (!Array.isArray(languages) || typeof defaultLanguage !== 'string') return [];
  const named = languages.filter((language) => typeof language === 'string');
  if (languageIn(named, defaultLanguage) !== undefined) return [];
  return [{ path: 'defaultLanguage', code: 'not_allowed', message: 'Must be one of the languages of the workspace.' }];
}
