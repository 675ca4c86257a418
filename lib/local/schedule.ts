/** Runs a task now and at an interval. Runs never overlap. */
export class Schedule {
  readonly #run: () => Promise<unknown>;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | undefined;
  #isFailing = false;

  constructor(everySeconds: number, run: () => Promise<unknown>) {
    this.#run = run;
    this.#timer = setInterval(() => this.#begin(), everySeconds * 1_000);
    this.#begin();
  }

  /** Waits until the current run has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  #begin(): void {
    this.#running ??= this.#run()
      .then(
        () => {
          this.#isFailing = false;
        },
        (error) => {
          // A repeated failure is logged only the first time.
          if (!this.#isFailing) console.error(error);
          this.#isFailing = true;
        },
      )
      .finally(() => {
        this.#running = undefined;
      });
  }
}
