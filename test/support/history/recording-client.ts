import type { Answer, Call } from '../call.ts';
import type { Containers } from '../containers.ts';
import { withKey } from '../views.ts';
import type { History } from './history.ts';
import type { Random } from './random.ts';
import type { Step } from './register.ts';

export interface TimedAnswer {
  readonly answer: Answer;
  readonly start: Step;
  readonly end: Step;
  /** Whether there was more than one attempt. */
  readonly isRepeated: boolean;
}

/** Sends each request to a random container, and records its start and end. */
export class RecordingClient {
  readonly #containers: Containers;
  readonly #history: History;
  readonly #random: Random;

  constructor(containers: Containers, history: History, random: Random) {
    this.#containers = containers;
    this.#history = history;
    this.#random = random;
  }

  /** @param tries the number of attempts while the answer is 503 */
  async ask(request: string, options: Call & { readonly key: string }, tries = 1): Promise<TimedAnswer> {
    const start = this.#history.step();
    for (let made = 1; ; made++) {
      const { awake } = this.#containers;
      const container = awake[this.#random.below(awake.length)] ?? this.#containers.at(0);
      const answer = await container.call(withKey(request, options.key), options);
      this.#history.count(answer.status);
      if (answer.status !== 503 || made === tries) {
        return { answer, start, end: this.#history.step(), isRepeated: made > 1 };
      }
    }
  }

  /** Reports an unexpected status. @returns true for the first of the expected ones */
  expect(request: string, { status, text }: Answer, expected: readonly number[]): boolean {
    if (!expected.includes(status)) this.#history.fault(`${request} was answered ${status}: ${text}`);
    return status === expected[0];
  }
}
