/** Runs something now and every so many minutes, never twice at a time. */
export class Schedule {
  readonly #run: () => Promise<unknown>;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | undefined;

  constructor(everyMinutes: number, run: () => Promise<unknown>) {
    this.#run = run;
    this.#timer = setInterval(() => this.#begin(), everyMinutes * 60_000);
    this.#begin();
  }

  /** Lets a run that is under way end. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  #begin(): void {
    this.#running ??= this.#run()
      .then(() => undefined, console.error)
      .finally(() => {
        this.#running = undefined;
      });
  }
}
