import * as z from 'zod/mini';
import { type Issue, isObject } from '../input.ts';
import { newerRule } from '../schema-rules.ts';
import { isBlank } from './blank.ts';
import { Localized } from './localized.ts';

const noText: Issue = { path: '', code: 'required', message: 'Must have text.' };

/** A name that shows something, without white space around it (lib/spec/additions.md section 9, "Names"). */
export const Name = z.string().check(z.trim(), newerRule(invisibleText));

/** The same in several languages. One of them has text. */
export const LocalizedName = Localized.check(
  z.overwrite((texts) => Object.fromEntries(Object.entries(texts).map(([language, text]) => [language, text.trim()]))),
  newerRule(invisibleTexts),
);

/** A text that may be null: it is trimmed, and a blank one is null. */
export const textOrNull = (text: z.ZodMiniType<string, string> = z.string()) =>
  z.nullable(text).check(z.overwrite((name) => (isBlank(name ?? '') ? null : (name?.trim() ?? null))));

/** The same, null by default. */
export const nameOrNull = (text?: z.ZodMiniType<string, string>) => z._default(textOrNull(text), null);

function invisibleText(name: unknown): Issue[] {
  return typeof name === 'string' && isBlank(name) ? [noText] : [];
}

function invisibleTexts(names: unknown): Issue[] {
  const hasNone = isObject(names) && Object.values(names).every((name) => invisibleText(name).length > 0);
  return hasNone ? [{ ...noText, message: 'Must have text in a language.' }] : [];
}
