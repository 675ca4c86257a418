import { isSigned, signatureOf } from '#lib/secrets/own-signature.ts';
import { randomText } from '#lib/table/access/new-secret.ts';

/** The content of the login cookie, which is valid until the identity provider redirects back. */
export interface LoginState {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The requested workspace; empty for any. */
  readonly workspaceId: string;
}

/** The time that a person has to sign in. */
export const loginSeconds = 600;

const purpose = 'login';
const pattern =
  /^(v1\.([0-9A-Za-z]{43})\.([0-9A-Za-z]{43})\.([0-9A-Za-z]{43})\.([A-Za-z0-9_-]{0,64})\.([0-9a-z]{1,9}))\.([A-Za-z0-9_-]{43})$/;
const workspaceIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** @param workspaceId as sent; an invalid id is treated as absent */
export const newLogin = (workspaceId: string | null): LoginState => ({
  state: randomText(),
  nonce: randomText(),
  verifier: randomText(),
  workspaceId: workspaceId !== null && workspaceIdPattern.test(workspaceId) ? workspaceId : '',
});

/** The cookie is signed, so that only a login that began here leads to a call of the identity provider. */
export async function loginCookieValue({ state, nonce, verifier, workspaceId }: LoginState): Promise<string> {
  const text = ['v1', state, nonce, verifier, workspaceId, secondsNow().toString(36)].join('.');
  return `${text}.${await signatureOf(purpose, text)}`;
}

/** @returns undefined for a cookie that this service has not made, or that is too old @throws Unavailable */
export async function readLogin(cookie: string | undefined): Promise<LoginState | undefined> {
  const [, text, state, nonce, verifier, workspaceId, begun, signature] = pattern.exec(cookie ?? '') ?? [];
  if (!text || !state || !nonce || !verifier || workspaceId === undefined || !begun || !signature) return undefined;
  if (secondsNow() - Number.parseInt(begun, 36) > loginSeconds) return undefined;
  return (await isSigned(purpose, text, signature)) ? { state, nonce, verifier, workspaceId } : undefined;
}

const secondsNow = (): number => Math.floor(Date.now() / 1_000);
