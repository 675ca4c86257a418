import type { Endpoint } from './endpoint.ts';
import type { HttpError } from './errors.ts';
import type { ApiResult } from './request-state.ts';

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

/** An answer without a body. */
export const noContent = (headers: Readonly<Record<string, string>> = {}): ApiResult => ({
  statusCode: 204,
  headers: { 'cache-control': commonHeaders['cache-control'], ...headers },
});

/** Headers by which a caller's cache must tell answers apart. In other places the key is part of the address. */
export const varying = ({ keyIn }: Pick<Endpoint, 'keyIn'>): Readonly<Record<string, string>> =>
  keyIn.some((place) => place !== 'query') ? { vary: 'Authorization, X-Api-Key' } : {};

/** The caller may go on using what it has (RFC 9110, 15.4.5). */
export const notModified = (endpoint: Pick<Endpoint, 'keyIn'>, etag: string): ApiResult => ({
  statusCode: 304,
  headers: { 'cache-control': commonHeaders['cache-control'], ...varying(endpoint), etag },
});

/** What an answer to a session says beside the rest: it is the member's alone (lib/spec/additions.md section 6). */
export function forSession(headers: NonNullable<ApiResult['headers']> = {}): NonNullable<ApiResult['headers']> {
  const { 'cache-control': cached = '', vary, ...others } = headers;
  const control = String(cached);
  return {
    ...others,
    'cache-control': control.includes('private') ? control : ['private', control].filter(Boolean).join(', '),
    vary: [vary, 'Cookie'].filter(Boolean).join(', '),
  };
}

/** The error body of lib/spec/decisions.md section 1; `errors` is there only on a 400 that can name a place. */
export const errorResult = ({ statusCode, code, message, details }: HttpError): ApiResult =>
  jsonText(
    statusCode,
    JSON.stringify(details.isMessageAlone ? { message } : { message, code, errors: details.errors }),
    details.headers,
  );
