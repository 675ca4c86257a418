import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { ownKey } from '#lib/secrets/own-key.ts';
import { Secret } from '#lib/secrets/secret.ts';
import { permissionDenied } from './errors.ts';
import { originHeader } from './origin-header.ts';
import type { ApiEvent } from './request-state.ts';

const secretArn = process.env['ORIGIN_SECRET_ARN'];

/** The secret of the distribution. Every function with an endpoint has it; the local run has none. */
const originSecret = secretArn === undefined ? undefined : new Secret(secretArn);

// The secret is read while the container starts. The first request that needs it gets a failure.
originSecret?.values().catch(() => undefined);

/**
 * Refuses callers that bypass CloudFront, because the gateway and the function URLs are public. It accepts the current
 * and the previous secret: CloudFront takes minutes to use a new one everywhere. An unknown one makes the container read
 * both again.
 * @throws 403, Unavailable
 */
export const requireOrigin = () => ({
  before: async ({ event }: { event: ApiEvent }) => {
    // Both secrets are read at the same time. The name is for the log, so that its failure refuses nothing.
    const named = ownKey('caller address').then((key) => callerName(event, key, originSecret !== undefined));
    const [name, passed] = await Promise.allSettled([named, isFromOrigin(event)]);
    if (name.status === 'fulfilled') event.state.caller = name.value;
    if (passed.status === 'rejected') throw passed.reason;
    if (!passed.value) throw permissionDenied('This service answers at its public address only.');
  },
});

async function isFromOrigin({ headers }: ApiEvent): Promise<boolean> {
  if (!originSecret) return true;
  const sent = headers[originHeader] ?? '';
  // Takes the same time for every input.
  return sent !== '' && originSecret.some((value) => timingSafeEqual(digest(sent), digest(value)));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * A keyed hash of the caller's address for log lines. Without the key, an address cannot be found by trying all. A
 * rotation of the signing secret changes all hashes, so callers cannot be followed for years.
 * @param isForwarded whether the distribution passes requests on
 */
export function callerName(
  { headers, requestContext }: Pick<ApiEvent, 'headers' | 'requestContext'>,
  key: KeyObject,
  isForwarded: boolean,
): string {
  const { sourceIp } = requestContext.http;
  const address = isForwarded ? forwardedAddress(headers, sourceIp) : sourceIp;
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
