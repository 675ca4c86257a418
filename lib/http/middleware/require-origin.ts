import { createHash, timingSafeEqual } from 'node:crypto';
import { secretReader } from '#lib/secrets/secret-reader.ts';
import { permissionDenied } from '../errors.ts';
import type { ApiEvent } from '../exchange.ts';
import { originHeader } from '../origin-header.ts';

const secretArn = process.env['ORIGIN_SECRET_ARN'];
const readSecret = secretArn === undefined ? undefined : secretReader(secretArn);

// It travels while the container starts; whoever needs it sees the failure.
readSecret?.().catch(() => undefined);

/**
 * Refuses callers that go round the distribution: the gateway and the function URLs are reachable by everyone. Where
 * there is no distribution, as in the local run, there is nothing to refuse.
 * @throws 403, Unavailable
 */
export const requireOrigin = () => ({
  before: async ({ event }: { event: Pick<ApiEvent, 'headers'> }) => {
    if (!readSecret) return;
    const expected = await readSecret();
    if (!areEqual(event.headers[originHeader] ?? '', expected)) {
      throw permissionDenied('This service answers at its public address only.');
    }
  },
});

/** Takes the same time whatever was sent. */
const areEqual = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
