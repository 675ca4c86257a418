import { type FinishReason, ModelError, type Part, type ToolCall, type Usage } from './engine.ts';
import type { ModelCall } from './model-call.ts';
import { ThinkFilter } from './think-filter.ts';
import { parseToolInput, toolCallsMax, toolInputCharactersMax, toolName } from './tool-input.ts';

/** One event of a model's stream. */
export interface StreamPiece {
  readonly text?: string;
  readonly usage?: Usage | undefined;
  /** The end mark, in the words of the wire. */
  readonly end?: string | undefined;
}

/** Reads the events of one wire. */
export interface WireReader<Event> {
  /** Puts tool calls into `calls`. @throws ModelError when the event tells of a failure */
  read(event: Event, calls: ToolCallAssembly): StreamPiece;
  /** @throws ModelError when the end mark stands for a failure */
  finishReason(end: string, calledTools: boolean): FinishReason;
}

/**
 * Makes the parts of a reply from the events of a stream, the same for every engine. The reply is complete with its end
 * mark and not without; what fails after the mark no longer matters.
 * @throws ModelError, and what breaks the stream before the end mark
 */
export async function* assembleReply<Event>(
  call: ModelCall,
  events: AsyncIterable<Event>,
  wire: WireReader<Event>,
): AsyncGenerator<Part> {
  const thoughts = new ThinkFilter();
  const calls = new ToolCallAssembly();
  let end: string | undefined;
  let usage: Usage | undefined;
  try {
    for await (const event of events) {
      const piece = wire.read(event, calls);
      call.progress();
      const text = thoughts.push(piece.text ?? '');
      if (text !== '') yield { type: 'text', delta: text };
      // Servers that count in every event count from the beginning.
      usage = piece.usage ?? usage;
      end ??= piece.end;
      if (end !== undefined) call.complete();
    }
  } catch (error) {
    if (!call.isComplete) throw error;
  }
  if (end === undefined) throw new ModelError('unavailable', 'The stream ended without its end mark.');
  const rest = thoughts.end();
  if (rest !== '') yield { type: 'text', delta: rest };
  if (usage) yield { type: 'usage', ...usage };
  const reason = wire.finishReason(end, !calls.isEmpty);
  if (reason === 'tool_calls') yield* calls.finish();
  yield { type: 'finish', reason };
}

/** A tool call whose name and input arrive in pieces. */
interface Pieces {
  readonly id: string;
  name: string;
  input: string;
}

/** Puts tool calls together from the pieces in which they are streamed. */
export class ToolCallAssembly {
  readonly #calls: Pieces[] = [];
  readonly #byIndex = new Map<number, Pieces>();

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  get count(): number {
    return this.#calls.length;
  }

  idAt(index: number): string | undefined {
    return this.#byIndex.get(index)?.id;
  }

  /** Begins a call at an index; a call that had the index before is complete. @throws ModelError for too many calls */
  begin(index: number, id: string): void {
    if (this.#calls.length === toolCallsMax) throw new ModelError('unavailable', 'There are too many tool calls.');
    const call = { id, name: '', input: '' };
    this.#calls.push(call);
    this.#byIndex.set(index, call);
  }

  /** @param input a piece of JSON; it has no effect at an index without a call @throws ModelError when it is too long */
  add(index: number, { name = '', input = '' }: { readonly name?: string; readonly input?: string }): void {
    const call = this.#byIndex.get(index);
    if (!call) return;
    if (call.name === '') call.name = name;
    call.input += input;
    if (call.input.length > toolInputCharactersMax) throw new ModelError('unavailable', 'A tool call is too long.');
  }

  /** Some servers send the input as the object that it stands for. */
  replaceInput(index: number, input: string): void {
    const call = this.#byIndex.get(index);
    if (call) call.input = '';
    this.add(index, { input });
  }

  /** @throws ModelError when there are none, although the model has stopped for them */
  *finish(): Generator<{ readonly type: 'tool-call' } & ToolCall> {
    if (this.isEmpty) throw new ModelError('unavailable', 'The model named no call.');
    for (const { id, name, input } of this.#calls) {
      yield { type: 'tool-call', id, name: toolName(name), input: parseToolInput(input) };
    }
  }
}
