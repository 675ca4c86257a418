import type { EndEvent } from './reply-event.ts';

/**
 * Where a reply gathers until its reader takes it. Whoever writes never waits, so that no slow client can hold a reply
 * back; a reader takes whatever has gathered meanwhile. It holds the reply once, however slowly that is read.
 */
export class ReplyMailbox {
  #text = '';
  #isComplete = false;
  #end: EndEvent | undefined;
  #changed = Promise.withResolvers<void>();

  /** The reply so far. */
  get text(): string {
    return this.#text;
  }

  /** Whether there will be no more text. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** How it ended, once it has. */
  get end(): EndEvent | undefined {
    return this.#end;
  }

  /** Resolves with the next change. */
  get changed(): Promise<void> {
    return this.#changed.promise;
  }

  push(piece: string): void {
    this.#text += piece;
    this.#tell();
  }

  complete(): void {
    this.#isComplete = true;
    this.#tell();
  }

  /** Ends it; only the first end counts. */
  close(end: EndEvent): void {
    this.#end ??= end;
    this.complete();
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
