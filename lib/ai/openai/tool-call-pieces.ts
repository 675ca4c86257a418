import { ModelError, type ToolCall } from '../engine.ts';
import { parseToolInput, toolCallsMax, toolInputCharactersMax, toolName } from '../tool-input.ts';

interface Pieces {
  id: string;
  name: string;
  input: string;
}

/** Puts tool calls together from the pieces in which they are streamed. */
export class ToolCallPieces {
  readonly #calls: Pieces[] = [];
  readonly #byIndex = new Map<number, Pieces>();
  readonly #idPrefix: string;

  /** @param idPrefix of the ids of calls that come without one */
  constructor(idPrefix: string) {
    this.#idPrefix = idPrefix;
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** @param pieces the `tool_calls` of a delta, of whatever shape @throws ModelError when they grow without end */
  add(pieces: unknown): void {
    if (!Array.isArray(pieces)) return;
    for (const [position, piece] of pieces.entries()) {
      const { index, id, function: called } = (piece ?? {}) as Record<string, unknown>;
      const call = this.#callAt(typeof index === 'number' ? index : position, typeof id === 'string' ? id : '');
      const { name, arguments: input } = (called ?? {}) as Record<string, unknown>;
      if (typeof name === 'string' && call.name === '') call.name = name;
      // Some servers send the input as the object that it stands for.
      if (typeof input === 'string') call.input += input;
      else if (input) call.input = JSON.stringify(input);
      if (call.input.length > toolInputCharactersMax) throw new ModelError('unavailable', 'A tool call is too long.');
    }
  }

  finish(): ToolCall[] {
    return this.#calls.map(({ id, name, input }) => ({ id, name: toolName(name), input: parseToolInput(input) }));
  }

  /** Some servers give every call the same index; a new id is a new call. */
  #callAt(index: number, id: string): Pieces {
    const known = this.#byIndex.get(index);
    if (known && (id === '' || known.id === id)) return known;
    if (this.#calls.length === toolCallsMax) throw new ModelError('unavailable', 'There are too many tool calls.');
    const call = { id: id.slice(0, 200) || `${this.#idPrefix}${this.#calls.length}`, name: '', input: '' };
    this.#calls.push(call);
    this.#byIndex.set(index, call);
    return call;
  }
}
