/** The events of a reply's stream (lib/spec/interface.md section 6). */
export type ReplyEvent =
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'done'; readonly messageId: string; readonly text: string }
  | { readonly type: 'error'; readonly error: string };

/** Reads server-sent events from text in pieces. Comments and other fields are ignored. */
export class EventReader {
  #rest = '';
  #data: string[] = [];

  /** @returns the events that this piece completes */
  read(piece: string): ReplyEvent[] {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#take(line.endsWith('\r') ? line.slice(0, -1) : line));
  }

  #take(line: string): ReplyEvent[] {
    const [, data] = /^data: ?(.*)$/s.exec(line) ?? [];
    if (data !== undefined) this.#data.push(data);
    if (line !== '' || this.#data.length === 0) return [];
    const text = this.#data.join('\n');
    this.#data = [];
    return [JSON.parse(text)];
  }
}
