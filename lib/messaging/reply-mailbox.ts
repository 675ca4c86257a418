import type { EndEvent } from './reply-event.ts';

/**
 * Buffers a reply between its writer and its reader. The writer never waits, so a slow client cannot delay a reply. The
 * reader takes the text written so far. The buffer holds one copy of the reply, however slow the reader is.
 */
export class ReplyMailbox {
  /** The reply so far. Before its end, it may have half a surrogate pair, whose other half comes. */
  text = '';
  isComplete = false;
  /** The final event. Undefined before the end. */
  end: EndEvent | undefined;
  #changed = Promise.withResolvers<void>();

  /** Resolves with the next change. */
  get changed(): Promise<void> {
    return this.#changed.promise;
  }

  /** White space before the first word is left out. */
  push(piece: string): void {
    this.text += this.text === '' ? piece.trimStart() : piece;
    this.#notify();
  }

  complete(): void {
    this.text = this.text.toWellFormed();
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
