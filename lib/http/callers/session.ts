import type { Principal } from '#lib/domain/access/principal.ts';
import type { Session } from '#lib/domain/access/session.ts';
import { findSession } from '#lib/table/access/sessions.ts';
import { unauthorized } from '../errors.ts';
import type { Credential } from './credential.ts';

/** The session of a signed-in member (lib/spec/additions.md section 6). @param cookie the value of the cookie */
export const session = (cookie: string): Credential => ({
  secret: cookie,
  find: async (table) => {
    const found = await findSession(table, cookie);
    return found && principalOf(found);
  },
  refusal: invalidSession,
});

export const invalidSession = () => unauthorized('invalid_session', 'This session has ended. Sign in again.');

export const missingSession = () =>
  unauthorized('missing_session', 'Sign in first: this address takes a session only.');

/** The slash keeps it apart from ids of API keys. */
function principalOf(found: Session): Principal {
  const { workspaceId, cookieHash, member } = found;
  const { id, name } = member;
  const permissions = new Set(member.permissions);
  return {
    kind: 'session',
    workspaceId,
    callerId: `session/${cookieHash.slice(0, 32)}`,
    idempotencyId: `member/${id}`,
    keyId: undefined,
    actor: { type: 'member', id, name },
    permissions,
    member: { id, permissions },
    session: found,
  };
}
