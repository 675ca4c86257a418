import type { Method } from './declaration.ts';
import { HttpError } from './errors.ts';
import type { ApiEvent } from './request-state.ts';

/** Whether pages of this machine may send requests: only in the local run. */
const areLoopbackPagesAllowed = process.env['LOOPBACK_ORIGINS'] === 'on';

/** A widget on any page must be able to distinguish these answers from a lost connection. */
const echoedStatuses: readonly number[] = [401, 429, 503];

const exposed = 'ETag, x-request-id, Retry-After';
const preflightSeconds = 7_200;
const requestHeaders = 'Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Range, Range';

/** @returns the 403 for a visitor's call from a page of another website than the token's */
export function originRefusal({ headers }: ApiEvent, { visitor }: NonNullable<ApiEvent['state']['principal']>) {
  const { origin } = headers;
  if (!visitor || origin === undefined || isAllowed(origin, visitor.host)) return undefined;
  return new HttpError(403, 'origin_not_allowed', 'Pages of this origin may not use this token.');
}

/** API keys, sessions and routes without visitors get none (lib/spec/additions.md section 4). */
export function corsHeaders(
  { state, headers: { origin } }: ApiEvent,
  status: number,
  vary: string | undefined,
): Readonly<Record<string, string>> {
  const { principal, method } = state;
  if (!state.isForVisitors || state.isBySession || method === 'OPTIONS' || (principal && !principal.visitor)) return {};
  if (origin === undefined && !principal) return {};
  const varies = { vary: [vary, 'Origin'].filter(Boolean).join(', ') };
  const isShared =
    origin !== undefined &&
    (echoedStatuses.includes(status) || (principal?.visitor && isAllowed(origin, principal.visitor.host)));
  return isShared
    ? { ...varies, 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed }
    : varies;
}

/** Browsers send OPTIONS before they send a token to another origin. */
export const isPreflight = ({ headers, state: { method } }: ApiEvent): boolean =>
  method === 'OPTIONS' && headers['origin'] !== undefined && headers['access-control-request-method'] !== undefined;

/** Thrown where the route is matched. It allows no cookies and reveals nothing about tokens. */
export class PreflightAnswer extends Error {
  override readonly name = 'PreflightAnswer';
  readonly headers: Readonly<Record<string, string>>;

  constructor(origin: string, methods: readonly Method[]) {
    super('A preflight is answered.');
    this.headers = {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': requestHeaders,
      'access-control-max-age': String(preflightSeconds),
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    };
  }
}

/** Exactly the website of the token or its `www.`; pages of this machine for `localhost`, and in the local run. */
function isAllowed(origin: string, host: string): boolean {
  if (origin === `https://${host}` || origin === `https://www.${host}`) return true;
  return (areLoopbackPagesAllowed || host === 'localhost') && isLoopback(origin);
}

function isLoopback(origin: string): boolean {
  const address = URL.parse(origin);
  if (address?.origin !== origin || !/^https?:$/.test(address.protocol)) return false;
  const { hostname } = address;
  if (hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]') return true;
  return /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
