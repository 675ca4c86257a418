import type { EndEvent } from './reply-event.ts';

/**
 * Buffers a reply between its writer and its reader. The writer never waits, so a slow client cannot delay a reply. The
 * reader takes the text written so far. The buffer holds one copy of the reply, however slow the reader is.
 */
export class ReplyMailbox {
  /** The reply so far. */
  text = '';
  isComplete = false;
  /** The final event. Undefined before the end. */
  end: EndEvent | undefined;
  #changed = Promise.withResolvers<void>();

  /** Resolves with the next change. */
  get changed(): Promise<void> {
    return this.#changed.promise;
  }

  push(piece: string): void {
    this.text += piece;
    this.#notify();
  }

  complete(): void {
    this.isComplete = true;
    this.#notify();
  }

  /** Ends the reply. Later calls have no effect. */
  close(end: EndEvent): void {
    this.end ??= end;
    this.complete();
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
