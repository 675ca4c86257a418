import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { messages } from './trial-project.ts';

const path = '/api/public/cms/chefs/list?limit=1&fields=name';
const headers = { authorization: 'Bearer saffron-site-key-0000000000' };

/** Sends small requests to a deployed service. */
export class Probe {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** @throws when a request past the distribution is accepted, or one through it is refused */
  async checkOrigin(emulatorUrl: string, apiHost: string): Promise<void> {
    const through = await this.#ask();
    if (through.status !== 200) throw new Error(`Through the distribution: ${through.status} ${await through.text()}`);
    await this.expectUnknownAddress(messages.before);
    const forgeries: Record<string, string>[] = [{}, { 'x-origin-verify': 'guess' }];
    for (const forged of forgeries) {
      const status = await statusOf(new URL(path, emulatorUrl), { ...headers, ...forged, host: apiHost });
      if (status !== 403) throw new Error(`Round the distribution: ${status}, and not 403.`);
    }
  }

  async expectUnknownAddress(message: string): Promise<void> {
    const answer = (await (await fetch(`${this.#url}/nowhere`)).json()) as { message?: string };
    if (answer.message !== message)
      throw new Error(`An unknown address is told "${answer.message}", not "${message}".`);
  }

  /**
   * Sends requests until the work is done.
   * @param lanes the number of concurrent requests; their functions are started before the work begins
   * @param interruptionsMax how many requests in total may be answered with 502 and are retried
   * @returns how many requests were answered, and how many were interrupted
   * @throws when an answer is unexpected
   */
  async during(work: () => Promise<unknown>, lanes: number, interruptionsMax = 0) {
    await this.#startFunctions(lanes);
    const state = { isDone: false, answered: 0, interrupted: 0 };
    const working = work().finally(() => {
      state.isDone = true;
    });
    const lane = async () => {
      while (!state.isDone) {
        const answer = await this.#ask();
        if (answer.status === 502 && state.interrupted < interruptionsMax) {
          state.interrupted++;
          continue;
        }
        if (answer.status !== 200)
          throw new Error(`A request during the change: ${answer.status} ${await answer.text()}`);
        state.answered++;
        await delay(50);
      }
    };
    await Promise.all([working, ...Array.from({ length: lanes }, lane)]);
    return state;
  }

  /**
   * Repeats a 503 of a function that starts on a busy machine. The work did not cause it.
   * @throws after five minutes
   */
  async #startFunctions(count: number): Promise<void> {
    const patience = AbortSignal.timeout(300_000);
    for (;;) {
      const answers = await Promise.all(Array.from({ length: count }, () => this.#ask()));
      if (answers.every(({ status }) => status === 200)) return;
      if (patience.aborted) throw new Error('The service does not answer several requests at a time.');
    }
  }

  async expectGone(): Promise<void> {
    const status = await this.#ask().then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) throw new Error('The service still answers.');
  }

  #ask(): Promise<Response> {
    return fetch(this.#url + path, { headers });
  }
}

/** `fetch` sets the Host header itself. */
function statusOf(url: URL, sent: Record<string, string>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  request(url, { headers: sent }, (answer) => {
    text(answer).then(() => resolve(answer.statusCode ?? 0), reject);
  })
    .on('error', reject)
    .end();
  return promise;
}
