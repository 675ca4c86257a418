import { randomText } from '#lib/table/access/random-text.ts';

/** The content of the login cookie, which is valid until the identity provider redirects back. */
export interface LoginState {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The requested workspace; empty for any. */
  readonly workspaceId: string;
}

const pattern = /^v1\.([0-9A-Za-z]{43})\.([0-9A-Za-z]{43})\.([0-9A-Za-z]{43})\.([A-Za-z0-9_-]{0,64})$/;
const workspaceIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** @param workspaceId as sent; an invalid id is treated as absent */
export const newLogin = (workspaceId: string | null): LoginState => ({
  state: randomText(),
  nonce: randomText(),
  verifier: randomText(),
  workspaceId: workspaceId !== null && workspaceIdPattern.test(workspaceId) ? workspaceId : '',
});

export const loginCookieValue = ({ state, nonce, verifier, workspaceId }: LoginState): string =>
  ['v1', state, nonce, verifier, workspaceId].join('.');

export function readLogin(cookie: string | undefined): LoginState | undefined {
  const [, state, nonce, verifier, workspaceId] = pattern.exec(cookie ?? '') ?? [];
  if (state === undefined || nonce === undefined || verifier === undefined) return undefined;
  return { state, nonce, verifier, workspaceId: workspaceId ?? '' };
}
