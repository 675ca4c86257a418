import { ApiError, type ErrorDetail } from '#lib/client/api-error.ts';
import { fill, type Language } from '../texts/catalogue.ts';
import { conflictsInArabic, issuesInArabic, refusalsInArabic } from '../texts/refusals.ts';
import { texts } from '../texts/texts.ts';

const permissionName = /\b[a-z]+:[a-z]+:[a-z-]+/;

type RequestIssue = Pick<ErrorDetail, 'path' | 'code' | 'message'>;

/** A number or a time in the message of a rule. */
const boundPattern = /-?\d{4}-\d\d-\d\d\S*|-?\d+(?:,\d{3})*(?:\.\d+)?/;

/** The text for an issue of one value. The service's message is English, and the console translates its code. */
export function faultText({ path, code, message }: RequestIssue, language: Language): string {
  // The screen already shows the name of the field.
  const rule = message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
  if (language === 'en') return rule;
  const translated = textOf(issuesInArabic, code);
  if (translated === undefined) return texts[language].errorValue;
  const [bound] = boundPattern.exec(rule) ?? [];
  if (!translated.includes('{bound}')) return translated;
  return bound === undefined ? texts[language].errorValue : fill(translated, { bound });
}

/** True if the same call may succeed later, e.g. with a connection. A refusal is permanent. */
export const isTransient = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 429;

/** The text of a failed call for the member. */
export function errorText(error: unknown, language: Language): string {
  const t = texts[language];
  if (!(error instanceof ApiError)) return t.offline;
  if (error.status >= 500) return t.errorServer;
  if (language === 'en') return error.message;
  const permission = error.status === 403 ? permissionName.exec(error.message)?.[0] : undefined;
  if (permission !== undefined) return fill(t.errorLacking, { permission });
  const [fault, ...others] = error.status === 400 ? error.errors : [];
  if (fault && others.length === 0) return `${fault.path === '' ? '' : `${fault.path}: `}${faultText(fault, language)}`;
  const conflict = error.code === 'conflict' ? textOf(conflictsInArabic, error.message) : undefined;
  return conflict ?? textOf(refusalsInArabic, error.code) ?? t.errorRefused;
}

const textOf = (texts: Readonly<Record<string, string>>, code: string): string | undefined =>
  Object.hasOwn(texts, code) ? texts[code] : undefined;

/** The message for a failed sign-in. @param code any text from the address of the page */
export function signInFailure(code: string, language: Language): string {
  const t = texts[language];
  const messages = new Map([
    ['cancelled', t.errorCancelled],
    ['expired', t.errorExpired],
    ['not_a_member', t.errorNotAMember],
    ['identity_mismatch', t.errorIdentityMismatch],
  ]);
  return messages.get(code) ?? t.errorUnavailable;
}
