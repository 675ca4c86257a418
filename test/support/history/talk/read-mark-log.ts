import type { Step } from '../register.ts';
import type { MessageLog } from './message-log.ts';

interface Move {
  readonly reader: string;
  /** The message to which the mark was moved. */
  readonly to: string;
  /** The message of the mark in the answer. */
  readonly answer?: string | undefined;
  readonly start: Step;
  readonly end: Step;
}

interface Count {
  readonly reader: string;
  readonly unread: number;
  readonly start: Step;
  readonly end: Step;
}

/** The read marks of a conversation, which never move backwards, and the counts of unread messages. */
export class ReadMarkLog {
  readonly #messages: MessageLog;
  readonly #moves: Move[] = [];
  readonly #counts: Count[] = [];

  constructor(messages: MessageLog) {
    this.#messages = messages;
  }

  moved(move: Move): void {
    this.#moves.push(move);
  }

  counted(count: Count): void {
    this.#counts.push(count);
  }

  /** Call it after the message log is closed. */
  *violations(): Generator<string> {
    for (const { reader, to, answer, start, end } of this.#moves) {
      if (answer === undefined) continue;
      const { least, most } = this.#bounds(reader, start, end);
      const stands = this.#messages.placeOf(answer);
      if (!(stands >= Math.max(least, this.#messages.placeOf(to)) && stands <= most))
        yield `The mark of ${reader} stood at ${answer}, place ${stands} of ${least} to ${most} (${start} to ${end}).`;
    }
    for (const { reader, unread, start, end } of this.#counts) {
      const mark = this.#bounds(reader, start, end);
      const length = this.#messages.lengths(start, end);
      const least = this.#messages.ofCustomer(mark.most + 1, length.least);
      const most = this.#messages.ofCustomer(mark.least + 1, length.most);
      if (unread < least || unread > most)
        yield `${reader} was shown ${unread} unread messages, not ${least} to ${most} (${start} to ${end}).`;
    }
  }

  /** The possible positions of a mark between two steps. */
  #bounds(reader: string, start: Step, end: Step) {
    const ofReader = this.#moves.filter((move) => move.reader === reader);
    const settled = ofReader.filter((move) => move.end < start).map(({ to, answer = to }) => answer);
    const begun = ofReader.filter((move) => move.start < end).map(({ to }) => to);
    const farthest = (ids: string[]) => Math.max(-1, ...ids.map(this.#messages.placeOf));
    return { least: farthest(settled), most: farthest(begun) };
  }
}
