import type { HttpError } from './errors.ts';
import type { ApiResult } from './exchange.ts';

const commonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
};

/** @param text the body as JSON text */
export const jsonText = (
  statusCode: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): ApiResult => ({
  statusCode,
  headers: { ...commonHeaders, ...headers },
  body: text,
});

/** The error body of decisions.md section 1; `errors` is there only on a 400 that can name a place. */
export const errorResult = ({ statusCode, code, message, details }: HttpError): ApiResult =>
  jsonText(statusCode, JSON.stringify({ message, code, errors: details.errors }), details.headers);
