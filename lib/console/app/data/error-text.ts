import { ApiError, type ErrorPlace } from '#lib/client/api-error.ts';
import { fill, type Language } from '../texts/catalogue.ts';
import { texts } from '../texts/texts.ts';

const permissionName = /\b[a-z]+:[a-z]+:[a-z-]+/;

type RequestIssue = Pick<ErrorPlace, 'path' | 'code' | 'message'>;

/** What is wrong with one field. The service says it in English; the commonest faults have words in other languages. */
export function faultText({ path, code, message }: RequestIssue, language: Language): string {
  // The field is named beside it, in the words of the screen.
  const rule = message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
  if (language === 'en') return rule;
  const t = texts[language];
  const bound = /^Must be at (?:least|most) (-?\d+(?:\.\d+)?)\.$/.exec(rule)?.[1];
  const known: Readonly<Partial<Record<string, string>>> = {
    required: t.errorRequired,
    duplicate: t.errorDuplicate,
    type: t.errorType,
    format: t.errorFormat,
    pattern: t.errorFormat,
    max_length: t.errorTooLong,
    not_found: t.errorNotFound,
    ...(bound !== undefined && { min: fill(t.errorMin, { bound }), max: fill(t.errorMax, { bound }) }),
  };
  return known[code] ?? rule;
}

/** What a failed call means to the member. */
export function errorText(error: unknown, language: Language): string {
  const t = texts[language];
  if (!(error instanceof ApiError)) return t.offline;
  if (error.status >= 500) return t.errorServer;
  if (language === 'en') return error.message;
  if (error.status === 403) {
    const permission = permissionName.exec(error.message)?.[0];
    return permission === undefined ? t.errorForbidden : fill(t.errorLacking, { permission });
  }
  if (error.status === 404) return t.errorNotFound;
  if (error.code === 'last_manager') return t.errorLastManager;
  return error.code === 'in_use' ? t.errorInUse : error.message;
}

/** Why a sign-in failed. @param code anything that the address of the page says */
export function signInFailure(code: string, language: Language): string {
  const t = texts[language];
  const known = new Map([
    ['cancelled', t.errorCancelled],
    ['expired', t.errorExpired],
    ['not_a_member', t.errorNotAMember],
    ['identity_mismatch', t.errorIdentityMismatch],
  ]);
  return known.get(code) ?? t.errorUnavailable;
}
