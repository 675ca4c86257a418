import { crossOrigin } from '../errors.ts';
import { publicUrl } from '../public-url.ts';
import type { ApiEvent } from '../request-state.ts';

/**
 * Refuses changes by session from pages of other origins, in addition to the cookie's SameSite (lib/spec/additions.md
 * section 6). Functions without the public address rely on `Sec-Fetch-Site` of the browser.
 * @throws 403 `cross_origin`
 */
export const requireSameOrigin = () => ({
  before: ({ event: { state, headers } }: { event: ApiEvent }) => {
    const isSafe = state.method === 'GET' || state.method === 'HEAD';
    if (state.principal?.kind !== 'session' || isSafe) return;
    const site = headers['sec-fetch-site'];
    const isSame = site === undefined ? isPublicOrigin(headers['origin']) : site === 'same-origin';
    if (!isSame) throw crossOrigin();
  },
});

const isPublicOrigin = (origin: string | undefined): boolean => {
  const address = publicUrl();
  return address !== undefined && origin === new URL(address).origin;
};
