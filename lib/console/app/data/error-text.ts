import { ApiError } from '#lib/client/api-error.ts';
import { fill, type Language } from '../texts/catalogue.ts';
import { texts } from '../texts/texts.ts';

const permissionName = /\b[a-z]+:[a-z]+:[a-z-]+/;

/** What is wrong with one field. The service says it in English; the commonest faults have words in other languages. */
export function faultText({ code, message }: { readonly code: string; readonly message: string }, language: Language) {
  if (language === 'en') return message;
  const t = texts[language];
  const known: Readonly<Record<string, string>> = {
    required: t.errorRequired,
    duplicate: t.errorDuplicate,
    invalid_type: t.errorType,
    format: t.errorFormat,
    too_long: t.errorTooLong,
    not_found: t.errorNotFound,
  };
  return known[code] ?? message;
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
