import { createHash, timingSafeEqual } from 'node:crypto';
import { callerName } from '../caller-address.ts';
import { permissionDenied } from '../errors.ts';
import { originHeader } from '../origin-header.ts';
import { originSecret } from '../own-signature.ts';
import type { ApiEvent } from '../request-state.ts';

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
