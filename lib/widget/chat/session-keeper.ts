import { asFailure, failureOf } from './failures.ts';
import type { Session, Store } from './store.ts';

/** Runs one task at a time, in all tabs. */
export type Lock = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Keeps the visitor's session, which the site's server opens and renews. Only the service decides when a token has
 * expired, because the clocks of visitors are often wrong.
 */
export class SessionKeeper {
  readonly #store: Store;
  readonly #address: string;
  readonly #lock: Lock;
  #asking: Promise<Session> | undefined;

  /** @param address the session endpoint of the site's server */
  constructor(store: Store, address: string, lock: Lock) {
    this.#store = store;
    this.#address = address;
    this.#lock = lock;
  }

  /**
   * Returns a valid session.
   * @param refused a token that the service does not accept any more
   * @throws Interrupted or Refused
   */
  async open(refused?: string): Promise<Session> {
    const { session } = this.#store.read();
    if (session && session.token !== refused) return session;
    this.#asking ??= this.#lock(() => this.#ask(refused)).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking.catch((error) => {
      throw asFailure(error);
    });
  }

  /** Makes the next session a new one. */
  forget(): void {
    this.#store.change(({ session: _, ...kept }) => kept);
  }

  async #ask(refused?: string): Promise<Session> {
    // Another tab may have renewed the session during the wait for the lock.
    const { session: stored } = this.#store.read();
    if (stored && stored.token !== refused) return stored;
    let response = await this.#post(stored ? { renew: stored.token } : {});
    if (stored && response.status === 404) response = await this.#post({});
    if (response.status !== 201) throw failureOf(response);
    const session = (await response.json()) as Session;
    this.#store.change((kept) => ({ ...kept, session }));
    return session;
  }

  #post(body: object): Promise<Response> {
    const headers = { 'content-type': 'application/json' };
    const options = { method: 'POST', credentials: 'same-origin', headers, body: JSON.stringify(body) } as const;
    return fetch(this.#address, options);
  }
}
