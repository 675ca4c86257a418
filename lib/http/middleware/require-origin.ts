import { createHash, timingSafeEqual } from 'node:crypto';
import { Secret } from '#lib/secrets/secret.ts';
import { callerName } from '../caller-address.ts';
import { permissionDenied } from '../errors.ts';
import { originHeader } from '../origin-header.ts';
import type { ApiEvent } from '../request-state.ts';

const secretArn = process.env['ORIGIN_SECRET_ARN'];
const secret = secretArn === undefined ? undefined : new Secret(secretArn);

// The secret is read while the container starts. The first request that needs it gets a failure.
secret?.values().catch(() => undefined);

/**
 * Refuses callers that bypass CloudFront, because the gateway and the function URLs are public. The local run has no
 * CloudFront and refuses no caller. It accepts the current and the previous secret, because CloudFront takes minutes to
 * use a new one everywhere. An unknown secret makes the container read both again.
 * @throws 403, Unavailable
 */
export const requireOrigin = () => ({
  before: async ({ event }: { event: ApiEvent }) => {
    const { state } = event;
    if (!secret) {
      state.caller = callerName(event);
      return;
    }
    const sentSecret = event.headers[originHeader] ?? '';
    const values = await secret.values();
    state.caller = callerName(event, values[0]);
    if (isOneOf(sentSecret, values)) return;
    if (sentSecret !== '' && isOneOf(sentSecret, await secret.reread())) return;
    throw permissionDenied('This service answers at its public address only.');
  },
});

/** Takes the same time for every input. */
const isOneOf = (sent: string, values: readonly string[]): boolean =>
  values.map((value) => timingSafeEqual(digest(sent), digest(value))).includes(true);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
