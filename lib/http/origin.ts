import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Secret } from '#lib/secrets/secret.ts';
import { permissionDenied } from './errors.ts';
import { originHeader } from './origin-header.ts';
import type { ApiEvent } from './request-state.ts';

const secretArn = process.env['ORIGIN_SECRET_ARN'];

/** The secret of the distribution. Every function with an endpoint has it; the local run has none. */
export const originSecret = secretArn === undefined ? undefined : new Secret(secretArn);

// The secret is read while the container starts. The first request that needs it gets a failure.
originSecret?.values().catch(() => undefined);

/**
 * Refuses callers that bypass CloudFront, because the gateway and the function URLs are public. The local run has no
 * CloudFront and refuses no caller. It accepts the current and the previous secret, because CloudFront takes minutes to
 * use a new one everywhere. An unknown secret makes the container read both again.
 * @throws 403, Unavailable
 */
export const requireOrigin = () => ({
  before: async ({ event }: { event: ApiEvent }) => {
    const { state } = event;
    if (!originSecret) {
      state.caller = callerName(event);
      return;
    }
    const sentSecret = event.headers[originHeader] ?? '';
    const [current] = await originSecret.values();
    state.caller = callerName(event, current);
    if (sentSecret !== '' && (await originSecret.some(isSent(sentSecret)))) return;
    throw permissionDenied('This service answers at its public address only.');
  },
});

/** Takes the same time for every input. */
const isSent =
  (sent: string) =>
  (value: string): boolean =>
    timingSafeEqual(digest(sent), digest(value));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The secret of the local run, whose log stays on this machine. */
const ownSecret = randomBytes(32).toString('hex');

/**
 * A keyed hash of the caller's address for log lines. Equal addresses have equal hashes. Without the secret, an address
 * cannot be found by trying all. The secret is that of the origin, because every function with an endpoint has it. Its
 * rotation changes all hashes, so callers cannot be followed for years.
 * @param originSecret the secret of the distribution; undefined without one
 */
export function callerName(event: Pick<ApiEvent, 'headers' | 'requestContext'>, originSecret?: string): string {
  const { sourceIp } = event.requestContext.http;
  const address = originSecret === undefined ? sourceIp : forwardedAddress(event.headers, sourceIp);
  const key = `caller address ${originSecret ?? ownSecret}`;
  return createHmac('sha256', key).update(address).digest('hex').slice(0, 16);
}

/**
 * The distribution appends the viewer's address to X-Forwarded-For, and the gateway appends that of the distribution.
 * The addresses before them come from the viewer and are not trusted.
 */
function forwardedAddress(headers: ApiEvent['headers'], sourceIp: string): string {
  const addresses = (headers['x-forwarded-for'] ?? '').split(',').map((address) => address.trim());
  return addresses.findLast((address) => address !== '' && address !== sourceIp) ?? sourceIp;
}
