import type { Transport } from './transport.ts';
import type { Memberships, Profile, ProfileChange } from './types.ts';

const profile = '/api/v1/profile';
const session = '/api/v1/session';

/** The profile and session of the signed-in member, for pages of the service's own origin. They need no API key. */
export class ProfileCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Also extends the session. */
  get = (): Promise<Profile> => this.#send('GET', profile, { isRepeatable: true });

  update = (json: ProfileChange): Promise<Profile> => this.#send('PATCH', profile, { json, isRepeatable: true });

  /** Changes to another workspace of the same person, with a new session. */
  switchTo = (workspaceId: string): Promise<Profile> =>
    this.#send('POST', session, { json: { workspaceId }, isRepeatable: false });

  /** The workspaces of the person, those to accept first. */
  memberships = (): Promise<Memberships> => this.#send('GET', `${session}/memberships`, { isRepeatable: true });

  /** Accepts a membership, or declines and removes it. */
  async answer(workspaceId: string, accept: boolean): Promise<void> {
    const path = `${session}/memberships/${encodeURIComponent(workspaceId)}`;
    await this.#transport.send({ method: 'POST', path, json: { accept }, isRepeatable: accept });
  }

  /** @returns the page that also ends the session at the identity provider */
  async signOut(): Promise<string> {
    const { logoutUrl } = await this.#send<{ logoutUrl: string }>('DELETE', session, { isRepeatable: false });
    return logoutUrl;
  }

  async #send<Answer>(
    method: string,
    path: string,
    rest: { readonly json?: unknown; readonly isRepeatable: boolean },
  ): Promise<Answer> {
    return (await (await this.#transport.send({ method, path, ...rest })).json()) as Answer;
  }
}
