import type { HttpError } from './errors.ts';
import type { ApiResult } from './request-state.ts';

const commonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
};

declare const isRendered: unique symbol;

/** JSON text that was made of a view, which has only the declared members of a response. */
export type RenderedJson = string & { readonly [isRendered]: true };

/** Marks a text as rendered. Call it where the text is made of a view, and nowhere else. */
export const rendered = (text: string): RenderedJson => text as RenderedJson;

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

export const bodyless = (statusCode: 204 | 304, headers: Readonly<Record<string, string>> = {}): ApiResult => ({
  statusCode,
  headers: { 'cache-control': commonHeaders['cache-control'], ...headers },
});

/** The headers of answers to sessions: they are private to the member (lib/spec/additions.md section 6). */
export function forSession(headers: NonNullable<ApiResult['headers']> = {}): NonNullable<ApiResult['headers']> {
  const { 'cache-control': cached = '', vary, ...others } = headers;
  const control = String(cached);
  return {
    ...others,
    'cache-control': control.includes('private') ? control : ['private', control].filter(Boolean).join(', '),
    vary: [vary, 'Cookie'].filter(Boolean).join(', '),
  };
}

/**
 * The error body of lib/spec/decisions.md section 1; only a 400 about named fields has `errors`. No cache may keep an
 * error, so that one rule holds for all routes, those of the sign-in included.
 */
export const errorResult = ({ statusCode, code, message, details }: HttpError): ApiResult =>
  jsonText(
    statusCode,
    JSON.stringify(details.isMessageAlone ? { message } : { message, code, errors: details.errors }),
    { 'cache-control': 'no-store', ...details.headers },
  );
