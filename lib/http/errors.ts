import type { CallerKind } from '#lib/domain/access/principal.ts';
import type { Issue } from '#lib/domain/issue.ts';

/**
 * What kind of refusal a fault is; the order is that of lib/spec/decisions.md section 1, the first that applies is the
 * code.
 */
export const refusals = ['invalid_body', 'invalid_query', 'validation_failed', 'unknown_field'] as const;
export type Refusal = (typeof refusals)[number];

/** An issue together with the refusal it leads to. */
export interface Fault extends Issue {
  readonly refusal: Refusal;
}

interface HttpErrorDetails {
  readonly errors?: readonly Issue[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Bodies that the contract has frozen have one member. */
  readonly isMessageAlone?: true;
}

/** An answer other than success; thrown anywhere, rendered in one middleware (lib/spec/decisions.md section 1). */
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

/**
 * An answer holds at most 5 MB as it travels (lib/spec/decisions.md section 3); only a hostile request has more faults.
 */
const errorsBytesMax = 5 * 1_048_576;
const messageLengthMax = 1_000;

/** 400 with every fault at once, as far as an answer can carry them. */
export function badRequest(faults: readonly Fault[]): HttpError {
  const code = refusals.find((refusal) => faults.some((fault) => fault.refusal === refusal)) ?? 'invalid_query';
  const errors = whatFits(faults.map(({ path, code, message }) => ({ path, code, message })));
  return new HttpError(400, code, summaryOf(faults, errors.length), { errors });
}

function summaryOf(faults: readonly Fault[], shown: number): string {
  const [first, ...others] = faults;
  if (others.length === 0) {
    return first && first.message.length <= messageLengthMax ? first.message : 'The request is not valid; see errors.';
  }
  const where = shown < faults.length ? `the first ${shown} of them are in errors` : 'see errors';
  return `${faults.length} places of this request are not valid; ${where}.`;
}

function whatFits(errors: readonly Issue[]): readonly Issue[] {
  let bytes = 0;
  const end = errors.findIndex((error) => {
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(error)));
    return bytes > errorsBytesMax;
  });
  return end === -1 ? errors : errors.slice(0, end);
}

const withRefusal =
  (refusal: Refusal) =>
  (issue: Issue): Fault => ({ ...issue, refusal });
export const invalidBody = withRefusal('invalid_body');
export const invalidQuery = withRefusal('invalid_query');
export const validationFailed = withRefusal('validation_failed');

type Unauthorized = 'missing_api_key' | 'invalid_api_key' | 'missing_session' | 'invalid_session';

export const unauthorized = (code: Unauthorized, message: string) =>
  new HttpError(401, code, message, { headers: { 'www-authenticate': 'Bearer' } });

export const permissionDenied = (message: string) => new HttpError(403, 'permission_denied', message);

/** lib/spec/additions.md section 6, cross-site requests. */
export const crossOrigin = () =>
  new HttpError(403, 'cross_origin', 'A page of another origin cannot do this with the session of a member.');

/** @param thing a capitalised noun; never an id, so that nothing the caller sent is echoed */
export const notFound = (thing: string) => new HttpError(404, 'not_found', `${thing} not found.`);

/** The frozen body of lib/spec/interface.md section 7. */
export const formNotFound = () => new HttpError(404, 'not_found', 'Form not found.', { isMessageAlone: true });

export const methodNotAllowed = (allow: string) =>
  new HttpError(405, 'method_not_allowed', `This address takes only ${allow}.`, { headers: { allow } });

/** @param thing a noun in lower case */
export const preconditionFailed = (thing = 'entry') =>
  new HttpError(
    412,
    'precondition_failed',
    `The ${thing} has changed since you read it. Fetch it again and retry with the new ETag.`,
  );

export const unsupportedMediaType = (message: string) => new HttpError(415, 'unsupported_media_type', message);

const callerNames: Readonly<Record<CallerKind, string>> = {
  key: 'This API key',
  session: 'This session',
  visitor: "This visitor's token",
};

/**
 * @param seconds after which there is room again
 * @param much completes "This API key has ..."
 */
export const rateLimited = (seconds: number, kind: CallerKind, much = 'made too many calls') =>
  new HttpError(429, 'rate_limited', `${callerNames[kind]} has ${much}; try again after Retry-After seconds.`, {
    headers: { 'retry-after': String(seconds) },
  });

export const unavailable = () =>
  new HttpError(503, 'unavailable', 'The service cannot answer at the moment; try again shortly.', {
    headers: { 'retry-after': '1' },
  });

export const internalError = () => new HttpError(500, 'internal_error', 'Something went wrong on our side.');
