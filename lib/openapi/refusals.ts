import type { Endpoint } from '#lib/http/declaration.ts';
import { callersOf, isForVisitors, memberRuleOf } from '#lib/http/endpoint.ts';
import { parameterNames } from '#lib/http/query.ts';

/** Error responses, each with its status and its reason, in the order of the checks (lib/spec/decisions.md section 1). */
export const refusalKinds = {
  missing_api_key: { status: 401, when: 'no key was sent where this route reads it' },
  invalid_api_key: {
    status: 401,
    when: 'the key is unknown, revoked or expired, its member is inactive, or two keys were sent',
  },
  missing_session: { status: 401, when: 'no session was sent, or a key was sent as well' },
  invalid_session: {
    status: 401,
    when: 'the session has ended, or its member was deactivated, removed or given another e-mail address',
  },
  rate_limited: {
    status: 429,
    when: 'the caller has sent more requests than the deployment allows, or has announced more than 5 GB or created 1,000 website channels in an hour, or is a visitor who has sent more than 256 MB today',
  },
  workspace_required: { status: 403, when: 'the person has not chosen a workspace yet' },
  cross_origin: { status: 403, when: 'a page of another origin requested a change with a session' },
  origin_not_allowed: {
    status: 403,
    when: "the visitor's token was sent from a page of another website",
  },
  permission_denied: {
    status: 403,
    when: 'the key, its member or the signed-in member lacks a permission, which the message names',
  },
  member_required: { status: 403, when: 'the key belongs to no workspace member' },
  form_not_found: { status: 404, when: 'the workspace has no such form, or, on a submit, it is disabled' },
  unsupported_media_type: { status: 415, when: 'the body has an unsupported media type or a `Content-Encoding`' },
  file_too_large: { status: 413, when: 'a file is larger than 25 MB, or an image than 10 MB' },
  body_too_large: {
    status: 413,
    when: 'a multipart body is larger than 130 MB (on AWS 4.4 MB; the message names the alternative), or an announcement is larger than 1 MB',
  },
  malformed_multipart: { status: 400, when: 'the multipart body cannot be read' },
  no_files: { status: 400, when: 'the request has no file' },
  too_many_files: { status: 400, when: 'the request has more than 5 files, or more than one image' },
  invalid_body: { status: 400, when: 'the body is not valid JSON, or does not match its schema' },
  invalid_query: { status: 400, when: 'a query parameter is malformed, out of range or repeated' },
  validation_failed: { status: 400, when: 'values in the body break a rule' },
  unknown_field: { status: 400, when: 'the query names unknown fields, and has no other error' },
  response_too_large: {
    status: 400,
    when: 'the response would be larger than 5 MB; the message names the parameters to lower',
  },
  not_found: { status: 404, when: 'the workspace has no record at this URL' },
  precondition_failed: { status: 412, when: 'the stored version does not match `If-Match`' },
  already_exists: { status: 409, when: 'a record with this id already exists' },
  last_manager: { status: 409, when: 'no other active member could manage members' },
  in_use: { status: 409, when: 'other records refer to this one; `errors` names up to 20 that the caller may read' },
  use_import: { status: 409, when: 'the change would rewrite more than 5,000 records; use an import' },
  conflict: { status: 409, when: 'a request with the same `Idempotency-Key` is still in progress' },
  idempotency_key_reused: { status: 422, when: 'the `Idempotency-Key` was used with another body' },
  range_not_satisfiable: { status: 416, when: 'the range is outside the file' },
  internal_error: { status: 500, when: 'an error in the service' },
  unavailable: { status: 503, when: 'a dependency of the service is throttled, down or too slow' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly when: string }>>;

export type RefusalCode = keyof typeof refusalKinds;

export const takesHeader = ({ headers }: Endpoint, name: 'Idempotency-Key' | 'If-None-Match' | 'If-Match'): boolean =>
  headers !== undefined && parameterNames(headers).includes(name);

/** The reason of an error on a route. It names the bound of a JSON body, and a workspace only on routes with a key. */
export function reasonOf(code: RefusalCode, endpoint: Endpoint): string {
  const { body, bodyBytesMax = 1_048_576 } = endpoint;
  if (code === 'conflict' && endpoint.uses.includes('identity:invite')) return 'the member cannot be invited as it is';
  if (code === 'conflict' && endpoint.path.includes('memberships')) return 'the membership is accepted already';
  if (code === 'conflict' && !takesHeader(endpoint, 'Idempotency-Key')) return 'the bytes have not arrived yet';
  if (code === 'validation_failed' && !body && takesHeader(endpoint, 'Idempotency-Key'))
    return 'the `Idempotency-Key` is not 1 to 255 characters long';
  if (code === 'not_found' && callersOf(endpoint).length === 0) return 'there is nothing at this URL';
  if (code === 'not_found' && isForVisitors(endpoint) && !endpoint.path.includes('{'))
    return "the body names a conversation other than that of the visitor's token";
  if (code === 'invalid_api_key' && isForVisitors(endpoint))
    return `${refusalKinds[code].when}, or the visitor's token has expired`;
  if (code !== 'body_too_large' || !body) return refusalKinds[code].when;
  return `the body is larger than ${bodyBytesMax < 1_048_576 ? `${bodyBytesMax / 1_024} KB` : `${bodyBytesMax / 1_048_576} MB`}`;
}

/** The error codes that follow from a declaration. */
export function impliedRefusals(endpoint: Endpoint): RefusalCode[] {
  const { methods, path, permissions, query, body } = endpoint;
  const takesKey = takesHeader(endpoint, 'Idempotency-Key');
  const callers = callersOf(endpoint);
  const takesSession = callers.includes('session');
  return [
    ...when(callers.includes('key'), 'missing_api_key', 'invalid_api_key'),
    ...when(takesSession && !callers.includes('key'), 'missing_session'),
    ...when(takesSession, 'invalid_session'),
    ...when(takesSession && !methods.includes('GET'), 'cross_origin'),
    ...when(takesSession && !callers.includes('person'), 'workspace_required'),
    ...when(callers.length > 0, 'rate_limited', 'unavailable'),
    ...when(isForVisitors(endpoint), 'origin_not_allowed'),
    ...when(permissions.length > 0, 'permission_denied'),
    ...when(memberRuleOf(endpoint) === 'required', 'member_required'),
    ...when(body !== undefined, 'unsupported_media_type', 'body_too_large', 'invalid_body'),
    // A redirect never shows an error to a browser.
    ...when(parameterNames(query).length > 0 && endpoint.status !== 302, 'invalid_query'),
    // A list of entries has a database and its fields as parameters.
    ...when(parameterNames(query).includes('modelId'), 'not_found', 'unknown_field'),
    // A form has an answer of its own.
    ...when(/\{(?!slug\})/.test(path), 'not_found'),
    ...when(takesHeader(endpoint, 'If-Match'), 'precondition_failed'),
    ...when(takesKey, 'validation_failed', 'conflict'),
    // A deletion has no other body.
    ...when(takesKey && !methods.includes('DELETE'), 'idempotency_key_reused'),
    'internal_error',
  ];
}

const when = (applies: boolean, ...codes: RefusalCode[]): RefusalCode[] => (applies ? codes : []);

/** The codes of a route by status, in the order of the checks. */
export function byStatus(codes: readonly RefusalCode[]): Map<number, RefusalCode[]> {
  const inOrder = (Object.keys(refusalKinds) as RefusalCode[]).filter((code) => codes.includes(code));
  return Map.groupBy(inOrder, (code) => refusalKinds[code].status);
}
