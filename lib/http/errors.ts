import type { CallerKind } from '#lib/domain/access/principal.ts';
import { answerBytesMax } from '#lib/domain/answer-size.ts';
import type { Issue } from '#lib/domain/input.ts';
import { Unavailable } from '#lib/table/errors.ts';

/** Of several issues, a 400 has the code that is first in this order (lib/spec/decisions.md section 1). */
export const badRequestCodes = ['invalid_body', 'invalid_query', 'validation_failed', 'unknown_field'] as const;
export type BadRequestCode = (typeof badRequestCodes)[number];

/** An issue, and the code of an answer with it. */
export interface RequestIssue extends Issue {
  readonly errorCode: BadRequestCode;
}

interface HttpErrorDetails {
  readonly errors?: readonly Issue[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The body has only `message` (lib/spec/interface.md section 7). */
  readonly isMessageAlone?: true;
}

/** An error answer. Any code may throw it; one middleware renders it (lib/spec/decisions.md section 1). */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly statusCode: number;
  readonly code: string;
  readonly details: HttpErrorDetails;

  constructor(statusCode: number, code: string, message: string, details: HttpErrorDetails = {}) {
    super(message);
    this.statusCode = statusCode;
    this.code = code;
    this.details = details;
  }
}

const messageLengthMax = 1_000;

/** A 400 with all issues, as far as they fit into an answer. */
export function badRequest(requestIssues: readonly RequestIssue[]): HttpError {
  const code =
    badRequestCodes.find((errorCode) => requestIssues.some((issue) => issue.errorCode === errorCode)) ??
    'invalid_query';
  const errors = fittingErrors(requestIssues.map(({ path, code, message }) => ({ path, code, message })));
  return new HttpError(400, code, summaryOf(requestIssues, errors.length), { errors });
}

function summaryOf(requestIssues: readonly RequestIssue[], shown: number): string {
  const [first, ...others] = requestIssues;
  if (others.length === 0) {
    return first && first.message.length <= messageLengthMax ? first.message : 'The request is not valid; see errors.';
  }
  const where = shown < requestIssues.length ? `errors has the first ${shown} of them` : 'see errors';
  return `The request has ${requestIssues.length} issues; ${where}.`;
}

/** The issues that fit into an answer, or the first and those that fit into its part of one. */
export function fittingErrors(errors: readonly Issue[], bytesMax = answerBytesMax): readonly Issue[] {
  let bytes = 0;
  const end = errors.findIndex((error, index) => {
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(error)));
    return bytes > (index === 0 ? answerBytesMax : bytesMax);
  });
  return end === -1 ? errors : errors.slice(0, end);
}

const withErrorCode =
  (errorCode: BadRequestCode) =>
  (issue: Issue): RequestIssue => ({ ...issue, errorCode });
export const invalidBody = withErrorCode('invalid_body');
export const invalidQuery = withErrorCode('invalid_query');
export const validationFailed = withErrorCode('validation_failed');

type Unauthorized = 'missing_api_key' | 'invalid_api_key' | 'missing_session' | 'invalid_session';

export const unauthorized = (code: Unauthorized, message: string) =>
  new HttpError(401, code, message, { headers: { 'www-authenticate': 'Bearer' } });

export const permissionDenied = (message: string) => new HttpError(403, 'permission_denied', message);

/** lib/spec/additions.md section 6, cross-site requests. */
export const crossOrigin = () =>
  new HttpError(403, 'cross_origin', 'A page of another origin cannot do this with the session of a member.');

/** A person without a workspace may only choose one. */
export const workspaceRequired = () =>
  new HttpError(403, 'workspace_required', 'Accept or open a workspace first: this session has none yet.');

/** @param noun names the record, capitalised; never an id, so that the answer does not echo input */
export const notFound = (noun: string) => new HttpError(404, 'not_found', `${noun} not found.`);

export const methodNotAllowed = (allow: string) =>
  new HttpError(405, 'method_not_allowed', `This address allows only ${allow}.`, { headers: { allow } });

export const unsupportedMediaType = (message: string) => new HttpError(415, 'unsupported_media_type', message);

const callerNames: Readonly<Record<CallerKind, string>> = {
  key: 'This API key',
  session: 'This session',
  person: 'This session',
  visitor: "This visitor's token",
};

/** @param seconds until the next call is allowed @param much completes "This API key has ..." */
export const rateLimited = (seconds: number, kind: CallerKind, much = 'made too many calls') =>
  new HttpError(429, 'rate_limited', `${callerNames[kind]} has ${much}; try again after Retry-After seconds.`, {
    headers: { 'retry-after': String(seconds) },
  });

export const unavailable = () =>
  new HttpError(503, 'unavailable', 'The service cannot answer at the moment; try again shortly.', {
    headers: { 'retry-after': '1' },
  });

/** The error answer for a failure: 503 if it is temporary, 500 for a bug. */
export function asHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  // Middy aborts a handler just before the function's timeout, for example while a dependency hangs.
  const isTimeUp = error instanceof Error && error.name === 'TimeoutError';
  if (isTimeUp || error instanceof Unavailable) return unavailable();
  return new HttpError(500, 'internal_error', 'Something went wrong on our side.');
}
