import { isVisitorToken } from '#lib/domain/access/visitor-token.ts';
import { apiKey } from '../callers/api-key.ts';
import type { Credential } from '../callers/credential.ts';
import { carriesKey, missingKey, requestKey } from '../callers/request-key.ts';
import { missingSession, session } from '../callers/session.ts';
import { visitorToken } from '../callers/visitor-token.ts';
import { cookieOf } from '../cookies.ts';
import { callersOf, type Endpoint } from '../endpoint.ts';
import type { ApiEvent } from '../request-state.ts';
import type { Speculate } from '../speculation.ts';
import { openedTable } from './open-table.ts';

type CallerRules = Pick<Endpoint, 'keyIn' | 'callers'>;

/**
 * Identifies the caller (lib/spec/decisions.md section 2, lib/spec/additions.md section 6).
 * @throws 401 if the credential is missing or not valid
 * @param speculate starts the work of the request early, for the caller that the credential last belonged to
 */
export const requireCaller = (endpoint: CallerRules, speculate?: Speculate) => ({
  before: async ({ event }: { event: ApiEvent }) => {
    const { state } = event;
    const credential = credentialOf(endpoint, event);
    const reading = credential.find(openedTable(state));
    const lastSeen = speculate && credential.lastSeen?.();
    if (lastSeen) speculate(event, lastSeen);
    const principal = await reading;
    const refused = principal ? undefined : await credential.refusedKey?.(openedTable(state));
    if (principal ?? refused) state.secret = credential.secret;
    if (refused) state.refusedKey = refused;
    if (!principal) throw credential.refusal();
    state.principal = principal;
  },
});

/** A key has precedence over other credentials. @throws 401 without a credential, or for two keys */
function credentialOf(endpoint: CallerRules, event: ApiEvent): Credential {
  const callers = callersOf(endpoint);
  const keyOrToken = requestKey(endpoint, event);
  if (keyOrToken?.isBearer && isVisitorToken(keyOrToken.secret)) return visitorToken(keyOrToken.secret);
  if (keyOrToken) return apiKey(keyOrToken.secret);
  const cookie = callers.includes('session') && !carriesKey(event) ? cookieOf(event, 'session') : undefined;
  if (cookie !== undefined) {
    event.state.isBySession = true;
    return session(cookie);
  }
  throw callers.includes('key') ? missingKey(endpoint) : missingSession();
}
