import type { Transport } from './transport.ts';
import type { Profile, ProfileChange } from './types.ts';

const [profile, session] = ['/api/v1/profile', '/api/v1/session'];

/** The profile and the session of the member who is signed in: for a page of the service's own origin, without a key. */
export class ProfileCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Keeps the session alive, too. */
  get = (): Promise<Profile> => this.#send('GET', profile, { isRepeatable: true });

  update = (json: ProfileChange): Promise<Profile> => this.#send('PATCH', profile, { json, isRepeatable: true });

  /** Goes on in another workspace of the same person, with a new session. */
  switchTo = (workspaceId: string): Promise<Profile> =>
    this.#send('POST', session, { json: { workspaceId }, isRepeatable: false });

  /** @returns the page that ends the session at the identity provider, too */
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
