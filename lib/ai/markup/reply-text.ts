import { type EngineRequest, ModelError } from '../engine.ts';
import { isTokenStart, type Mark, markAt, markStart } from './marks.ts';
import { startsCall, type WrittenCall, writtenCalls } from './written-calls.ts';

/** More than all calls of a reply. */
const callsCharactersMax = 100_000;
const headerCharactersMax = 200;
const fence = /^\s*```/;
const otherRoles = /^(?:user|system|developer|tool|ipython|functions)\b/;
const stop = new RegExp(`${markStart.source}|\\n`);

/**
 * Finds the visible text of a model's reply. Models write reasoning, calls of tools and control tokens into their text,
 * and only some servers remove them.
 */
export class ReplyText {
  readonly #tools: EngineRequest['tools'];
  #state: 'text' | 'reasoning' | 'header' | 'calls' | 'over';
  /** The name that ends the reasoning; undefined for any. */
  #reasoningName: string | undefined;
  #hasReasoned = false;
  #header = '';
  /** The text of calls. */
  #calls: string | undefined;
  /** True for calls without markup. They may turn out to be text. */
  #areBare = false;
  /** The text that may become markup. */
  #held = '';
  #visible = '';
  #hasText = false;
  /** True if visible text has been passed on. */
  #isShown = false;
  /** The visible part of the current line. */
  #line = '';
  #isFenced = false;

  constructor({ tools, reasoning = false }: Pick<EngineRequest, 'tools' | 'reasoning'>) {
    this.#tools = tools;
    this.#state = reasoning ? 'reasoning' : 'text';
  }

  /** True if the reply is nothing but reasoning so far. */
  get isReasoningOnly(): boolean {
    return this.#state === 'reasoning' && !this.#hasText;
  }

  /** The server has separated the reasoning from the text, so no closing tag will come. */
  skipReasoning(): void {
    if (this.isReasoningOnly && this.#reasoningName === undefined) this.#state = 'text';
  }

  /** @returns the text that can be shown now. @throws ModelError if reasoning has been shown as text */
  push(delta: string): string {
    this.#held += delta;
    while (this.#held !== '' && this.#step()) {}
    return this.#take();
  }

  /** @returns the rest of the text, and the calls of tools in it */
  end(): { readonly text: string; readonly calls: readonly WrittenCall[] } {
    if (!isTokenStart(this.#held)) this.#read(this.#held);
    this.#held = '';
    const written = this.#calls ?? '';
    const calls = writtenCalls(written, this.#tools, !this.#areBare);
    if (this.#areBare && calls.length === 0) this.#show(written);
    return { text: this.#take(), calls };
  }

  #take(): string {
    const visible = this.#visible;
    this.#visible = '';
    this.#isShown ||= visible !== '';
    return visible;
  }

  /** Reads a piece of text or a mark. @returns false if the next piece is incomplete */
  #step(): boolean {
    const bare = this.#isAtLineStart() && startsCall(this.#held, this.#tools);
    if (bare === 'open') return false;
    if (bare) {
      this.#state = 'calls';
      this.#calls = '';
      this.#areBare = true;
    }
    const plain = this.#held.search(stop);
    const mark = plain === 0 ? markAt(this.#held) : undefined;
    if (mark === 'open') return false;
    const length = mark?.length ?? (plain === -1 ? this.#held.length : Math.max(plain, 1));
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    if (mark && !this.#isQuoted(mark)) this.#apply(mark, text);
    else this.#read(text);
    return true;
  }

  #isAtLineStart = (): boolean => this.#state === 'text' && !this.#isFenced && this.#line.trim() === '';

  /** True for a tag in code, and for the end of struck text. */
  #isQuoted({ kind, name, isTag }: Mark): boolean {
    if (this.#state !== 'text' || !isTag) return false;
    const isInCode = this.#line.split('`').length % 2 === 0;
    return isInCode || (this.#isFenced && kind !== 'calls') || (name === 's' && this.#line.includes('<s>'));
  }

  #read(text: string): void {
    if (this.#state === 'text') this.#show(text);
    else if (this.#state === 'header') this.#readHeader(text);
    else if (this.#state !== 'over' && this.#calls !== undefined) {
      this.#calls += text;
      if (this.#calls.length > callsCharactersMax) throw new ModelError('unavailable', 'A tool call is too long.');
    }
  }

  #show(text: string): void {
    const shown = this.#hasText ? text : text.trimStart();
    if (shown === '') return;
    this.#hasText = true;
    this.#visible += shown;
    const [more = '', ...lines] = shown.split('\n');
    this.#line += more;
    for (const line of lines) {
      if (fence.test(this.#line)) this.#isFenced = !this.#isFenced;
      this.#line = line;
    }
  }

  #readHeader(text: string): void {
    if (text === '\n') this.#endHeader();
    else this.#header = (this.#header + text).slice(0, headerCharactersMax);
  }

  #apply({ kind, name }: Mark, text: string): void {
    if (this.#state === 'header' && kind !== 'header' && kind !== 'nothing') this.#endHeader();
    if (kind === 'header') this.#beginHeader();
    else if (kind === 'answer') this.#beginAnswer();
    else if (kind === 'end') this.#state = 'over';
    else if (this.#state === 'calls') this.#read(text);
    else if (kind === 'reasoning') this.#beginReasoning(name);
    else if (kind === 'reasoned') this.#endReasoning(name);
    else if (kind === 'calls') this.#beginCalls(text);
    else if (kind === 'wrapper' ? !this.#hasReasoned : this.#calls !== undefined) this.#read(text);
  }

  #beginHeader(): void {
    this.#header = this.#state === 'header' ? `${this.#header} ` : '';
    this.#state = 'header';
  }

  #beginReasoning(name: string): void {
    if (this.#state === 'text') this.#state = 'reasoning';
    if (this.#state === 'reasoning') this.#reasoningName ??= name;
  }

  #endReasoning(name: string): void {
    if (this.#state === 'text') this.#forget();
    else if (this.#state !== 'reasoning' || (this.#reasoningName ?? name) !== name) return;
    this.#state = 'text';
    this.#reasoningName = undefined;
    this.#hasReasoned = true;
    this.#calls = undefined;
  }

  /** The text so far was reasoning. */
  #forget(): void {
    if (this.#isShown) throw new ModelError('unavailable', shownReasoning);
    this.#visible = '';
    this.#hasText = false;
    this.#line = '';
    this.#isFenced = false;
  }

  /** A reply has one visible message. Models also make up the next turns. */
  #beginAnswer(): void {
    if (this.#state === 'text') return;
    this.#state = this.#hasText || this.#calls !== undefined ? 'over' : 'text';
    this.#hasReasoned = true;
  }

  /** Calls in unfinished reasoning count, because some models do not close it before a call. */
  #beginCalls(text: string): void {
    if (this.#state === 'text') this.#state = 'calls';
    if (this.#state !== 'over') this.#calls ??= '';
    this.#read(text);
  }

  /** A header has a role, and may have a channel and a recipient. */
  #endHeader(): void {
    const header = this.#header.trim().toLowerCase();
    const [, recipient = ''] = /(?:^|\s)to=([\w.:-]+)/.exec(this.#header) ?? [];
    this.#state = 'over';
    if (otherRoles.test(header)) return;
    if (recipient !== '' && recipient !== 'user' && recipient !== 'self') {
      this.#state = 'calls';
      this.#calls = `${this.#calls ?? ''} ${recipient} `;
    } else if (/analysis|commentary|thought/.test(header) || recipient === 'self') {
      this.#state = 'reasoning';
      this.#reasoningName = 'channel';
    } else this.#beginAnswer();
  }
}

const shownReasoning =
  "The model ended its reasoning without having begun it, after it was shown: set the agent's `reasoning`, or start the model's server with its reasoning parser.";
