import { Register, type Step } from '../register.ts';

/** A message with the members that a member sees, or the fewer ones that a visitor sees. */
export interface Shown {
  readonly id: string;
  readonly createdAt: string;
  readonly senderType: string;
  readonly text: string;
}

/** A sent message with a unique text. */
export interface Sent {
  readonly text: string;
  readonly start: Step;
  /** Infinite without an acknowledgement. */
  readonly end: Step;
  readonly answer?: Shown;
}

/** A page of messages in an answer. */
export interface Page {
  readonly request: string;
  readonly data: readonly Shown[];
  readonly hasMore: boolean;
  readonly limit: number;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly start: Step;
  readonly end: Step;
}

/** The smallest and the largest possible number of messages in a conversation. */
export interface Lengths {
  readonly least: number;
  readonly most: number;
}

/**
 * The messages of one conversation, a log that only grows. Imports change the texts of its first messages. A history is
 * correct if it contains each acknowledged message once. Of two requests, one of which ended before the other began,
 * the first comes first. Each page must show the log of some moment during its request.
 */
export class MessageLog {
  readonly #id: string;
  readonly #sent = new Map<string, Sent>();
  readonly #pages: Page[] = [];
  /** The texts that imports change, by message. */
  readonly #texts: ReadonlyMap<string, Register>;
  readonly #firstTexts: ReadonlyMap<string, string>;
  #final: readonly Shown[] = [];
  #places: ReadonlyMap<string, number> = new Map();
  /** By index: when a message was first seen, and when it was sent. */
  #known: number[] = [];
  #begun: number[] = [];

  /** @param aged messages from before the history; imports change the texts of all but the last */
  constructor(id: string, aged: readonly Shown[] = []) {
    this.#id = id;
    this.#texts = new Map(
      aged.slice(0, -1).map((message) => [message.id, new Register(`The text of ${message.id}`, message.text)]),
    );
    this.#firstTexts = new Map(aged.map((message) => [message.id, message.text]));
    for (const message of aged)
      this.#sent.set(message.text, { text: message.text, start: -1, end: -1, answer: message });
  }

  sent(message: Sent): void {
    this.#sent.set(message.text, message);
  }

  /** Records that an import has changed a text. @param end infinite without an acknowledgement */
  changed(id: string, value: string, start: Step, end: Step): void {
    this.#texts.get(id)?.write({ value, start, end });
  }

  saw(page: Page): void {
    const { data, start, end } = page;
    for (const { id, text } of data) this.#texts.get(id)?.read({ value: text, start, end });
    this.#pages.push({ ...page, data: data.map(this.#withFirstText) });
  }

  /** The id of an existing message, if any. @param chance from 0 up to 1 */
  known(chance: number): string | undefined {
    const ids = this.#pages.at(-1)?.data.map(({ id }) => id) ?? [];
    return ids[Math.floor(chance * ids.length)];
  }

  /** Ends the history. @param final all messages, oldest first */
  close(final: readonly Shown[]): void {
    this.#final = final.map(this.#withFirstText);
    this.#places = new Map(final.map(({ id }, place) => [id, place]));
    this.#begun = this.#final.map(({ text }) => this.#sent.get(text)?.start ?? Number.POSITIVE_INFINITY);
    const seen = new Map<string, Step>();
    const note = (id: string, end: Step) => seen.set(id, Math.min(end, seen.get(id) ?? Number.POSITIVE_INFINITY));
    for (const { data, end } of this.#pages) for (const { id } of data) note(id, end);
    for (const { answer, end } of this.#sent.values()) if (answer) note(answer.id, end);
    this.#known = final.map(({ id }) => seen.get(id) ?? Number.POSITIVE_INFINITY);
  }

  placeOf = (id: string): number => this.#places.get(id) ?? Number.NaN;

  /** Number of messages at some moment from one step to another. */
  lengths(start: Step, end: Step): Lengths {
    const least = this.#known.findLastIndex((known) => known < start) + 1;
    const begunLater = this.#begun.findIndex((begun) => begun > end);
    return { least, most: begunLater === -1 ? this.#final.length : begunLater };
  }

  /** The number of the customer's messages between two indexes. */
  ofCustomer = (from: number, to: number): number =>
    this.#final.slice(from, Math.max(from, to)).filter(({ senderType }) => senderType === 'customer').length;

  /** The time and the start of the text of the newest message, for a number of messages. */
  newest = (length: number): Shown | undefined => this.#final[length - 1];

  /** Registers judge the texts that imports change, so the log ignores the changes. */
  #withFirstText = <Message extends Shown>(message: Message): Message => ({
    ...message,
    text: this.#firstTexts.get(message.id) ?? message.text,
  });

  *violations(): Generator<string> {
    for (const text of this.#texts.values()) yield* text.violations();
    for (const fault of [...this.#faultsOfSends(), ...this.#faultsOfOrder(), ...this.#pages.flatMap(this.#faultsOf)])
      yield `${this.#id}: ${fault}`;
  }

  *#faultsOfSends(): Generator<string> {
    const texts = this.#final.map(({ text }) => text);
    for (const [place, text] of texts.entries()) {
      if (!this.#sent.has(text)) yield `"${text}" is stored and was never sent.`;
      if (texts.indexOf(text) < place) yield `"${text}" is stored twice.`;
    }
    for (const { text, end, answer } of this.#sent.values()) {
      if (Number.isFinite(end) && !texts.includes(text)) yield `"${text}" was acknowledged and is lost.`;
      if (!answer) continue;
      const stored = this.#final[this.placeOf(answer.id)];
      if (!stored) yield `"${text}" was answered as ${answer.id} and is lost.`;
      else if (!isSame(stored, answer))
        yield `"${text}" was answered ${described(answer)} and is ${described(stored)}.`;
    }
  }

  *#faultsOfOrder(): Generator<string> {
    let lastBegun: Step = -1;
    for (const [place, message] of this.#final.entries()) {
      const before = this.#final[place - 1];
      if (before && (before.createdAt > message.createdAt || before.id >= message.id))
        yield `${message.id} follows ${before.id}, which is later.`;
      if ((this.#known[place] ?? 0) < lastBegun) yield `"${message.text}" stands behind a message that was sent later.`;
      lastBegun = Math.max(lastBegun, this.#begun[place] ?? 0);
    }
  }

  #faultsOf = (page: Page): string[] => {
    const { data, start, end, request } = page;
    const at = `${request} (${start} to ${end})`;
    const places = data.map(({ id }) => this.placeOf(id));
    const { from, to, hasMore } = this.#range(page, places);
    const wanted = this.#final.slice(from, to);
    const faults = [];
    if (data.length !== wanted.length || !data.every((message, index) => isSame(wanted[index], message)))
      faults.push(`${at} shows ${places.join()}, and not the messages from ${from} up to ${to}.`);
    if (hasMore !== undefined && page.hasMore !== hasMore) faults.push(`${at} says hasMore ${page.hasMore}.`);
    return faults;
  };

  /**
   * The messages that a page may show, judged by its last message; `hasMore` is undefined if both values are possible.
   */
  #range({ limit, after, before, hasMore, start, end }: Page, places: readonly number[]) {
    const { least, most } = this.lengths(start, end);
    if (before !== undefined) {
      const to = this.placeOf(before);
      return { from: Math.max(0, to - limit), to, hasMore: to > limit };
    }
    if (after === undefined) {
      const to = clamp((places.at(-1) ?? -1) + 1, least, most);
      return { from: Math.max(0, to - limit), to, hasMore: to > limit };
    }
    const from = this.placeOf(after) + 1;
    if (hasMore) return { from, to: from + limit, hasMore: most > from + limit };
    const to = Math.min(from + limit, clamp(from + places.length, least, most));
    return { from, to, hasMore: least > from + limit ? true : undefined };
  }
}

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));

/** A visitor sees fewer members of the same message. */
function isSame(stored: Shown | undefined, shown: Shown): boolean {
  const members: Readonly<Record<string, unknown>> = { ...stored };
  return Object.entries(shown).every(([name, value]) => JSON.stringify(members[name]) === JSON.stringify(value));
}

const described = (message: Shown): string => JSON.stringify(message);
