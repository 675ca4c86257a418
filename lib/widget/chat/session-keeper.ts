import { failureOf, Interrupted } from './failures.ts';
import type { Session, Store } from './store.ts';

/** Runs one piece of work at a time, in all tabs. */
export type Lock = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Holds the visitor's session, which the site's own server makes and renews. The service says when a token has ended,
 * because the clocks of visitors are wrong too often.
 */
export class SessionKeeper {
  readonly #store: Store;
  readonly #address: string;
  readonly #lock: Lock;
  #asking: Promise<Session> | undefined;

  /** @param address of the site's server */
  constructor(store: Store, address: string, lock: Lock) {
    this.#store = store;
    this.#address = address;
    this.#lock = lock;
  }

  /**
   * A session that counts.
   * @param refused a token that the service does not accept any more
   * @throws Interrupted or Refused
   */
  async open(refused?: string): Promise<Session> {
    const { session } = this.#store.read();
    if (session && session.token !== refused) return session;
    this.#asking ??= this.#lock(() => this.#ask(refused)).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** The next session is a new one. */
  forget(): void {
    this.#store.change(({ session: _, ...kept }) => kept);
  }

  async #ask(refused?: string): Promise<Session> {
    // Another tab may have renewed it while this one waited.
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
    return fetch(this.#address, {
      method: 'POST',
      credentials: 'same-origin',
      headers,
      body: JSON.stringify(body),
    }).catch(() => {
      throw new Interrupted();
    });
  }
}
