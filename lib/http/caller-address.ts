import { createHmac, randomBytes } from 'node:crypto';
import type { ApiEvent } from './request-state.ts';

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
