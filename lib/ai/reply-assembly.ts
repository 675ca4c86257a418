import { type EngineRequest, type FinishReason, ModelError, type Part, type ToolCall, type Usage } from './engine.ts';
import { ReplyText } from './markup/reply-text.ts';
import type { WrittenCall } from './markup/written-calls.ts';
import { ModelCall } from './model-call.ts';
import { parseToolInput, toolCallsMax, toolInputCharactersMax, toolName } from './tool-input.ts';

/** One event of a model's stream. */
export interface StreamPiece {
  readonly text?: string;
  /** True for reasoning that the server has separated from the text. */
  readonly isReasoning?: boolean;
  readonly usage?: Usage | undefined;
  /** The end mark in the server's words. */
  readonly end?: string | undefined;
}

/** Calls a model for one reply, and reads the events of its protocol. */
export interface Wire<Event> {
  /** @throws ModelError, and errors of the connection */
  ask(call: ModelCall): Promise<Iterable<Event> | AsyncIterable<Event>>;
  /** Adds tool calls to `calls`. @throws ModelError for an event that reports a failure */
  read(event: Event, calls: ToolCallAssembly): StreamPiece;
  /** @throws ModelError for an end mark that means a failure */
  finishReason(end: string, calledTools: boolean): FinishReason;
  /** Translates an error of the connection. */
  failure(error: unknown): ModelError;
}

/**
 * Makes a reply with one call of a model, for every engine.
 * @param stall the stall timeout in milliseconds
 * @throws ModelError
 */
export async function* streamReply<Event>(
  request: EngineRequest,
  stall: number,
  wire: Wire<Event>,
): AsyncGenerator<Part> {
  const call = new ModelCall(request.signal, stall);
  try {
    yield* assembleReply(request, call, await wire.ask(call), wire);
  } catch (error) {
    throw call.failure(error, wire.failure);
  } finally {
    call.end();
  }
}

/**
 * Assembles the parts of a reply from the events of a stream. Only the end mark completes a reply; failures after it do
 * not matter.
 * @throws ModelError, and errors of the stream before the end mark
 */
async function* assembleReply<Event>(
  request: EngineRequest,
  call: ModelCall,
  events: Iterable<Event> | AsyncIterable<Event>,
  wire: Wire<Event>,
): AsyncGenerator<Part> {
  const reply = new ReplyText(request);
  const calls = new ToolCallAssembly();
  let end: string | undefined;
  let usage: Usage | undefined;
  try {
    for await (const event of events) {
      const piece = wire.read(event, calls);
      call.progress();
      if (piece.isReasoning) reply.skipReasoning();
      const text = reply.push(piece.text ?? '');
      if (text !== '') yield { type: 'text', delta: text };
      // Servers that report tokens in every event report the total so far.
      usage = piece.usage ?? usage;
      end ??= piece.end;
      if (end !== undefined) call.complete();
    }
  } catch (error) {
    if (!call.isComplete) throw error;
  }
  if (end === undefined) throw new ModelError('unavailable', 'The stream ended without its end mark.');
  const rest = reply.end();
  if (rest.text !== '') yield { type: 'text', delta: rest.text };
  if (usage) yield { type: 'usage', ...usage };
  // A server that has understood the calls itself may also leave them in the text.
  const mayCall = calls.isEmpty && request.tools.length > 0 && request.toolChoice !== 'none';
  if (mayCall) for (const written of rest.calls) calls.addWritten(written, request.messages.length);
  const reason = wire.finishReason(end, !calls.isEmpty);
  if (reason === 'stop' && reply.isReasoningOnly) throw new ModelError('unavailable', 'The reasoning has no end.');
  if (reason === 'tool_calls') yield* calls.finish();
  yield { type: 'finish', reason };
}

/** A tool call in progress, whose name and input arrive in pieces. */
interface Pieces {
  readonly id: string;
  name: string;
  input: string;
}

/** Assembles tool calls from streamed pieces. */
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

  /** Begins a call at an index, and completes an earlier call at that index. @throws ModelError for too many calls */
  begin(index: number, id: string): void {
    if (this.#calls.length === toolCallsMax) throw new ModelError('unavailable', 'There are too many tool calls.');
    const call = { id, name: '', input: '' };
    this.#calls.push(call);
    this.#byIndex.set(index, call);
  }

  /**
   * @param input a piece of JSON; ignored at an index without a call
   * @throws ModelError if the input becomes too long
   */
  add(index: number, { name = '', input = '' }: { readonly name?: string; readonly input?: string }): void {
    const call = this.#byIndex.get(index);
    if (!call) return;
    if (call.name === '') call.name = name;
    call.input += input;
    if (call.input.length > toolInputCharactersMax) throw new ModelError('unavailable', 'A tool call is too long.');
  }

  /** Adds a call that the model has written into its text. @throws ModelError */
  addWritten({ name, input }: WrittenCall, turns: number): void {
    const index = this.count;
    this.begin(index, `written_${turns}_${index}`);
    this.add(index, { name, input });
  }

  /** Some servers send the whole input as an object. */
  replaceInput(index: number, input: string): void {
    const call = this.#byIndex.get(index);
    if (call) call.input = '';
    this.add(index, { input });
  }

  /** @throws ModelError if the model has stopped for tool calls without making any */
  *finish(): Generator<{ readonly type: 'tool-call' } & ToolCall> {
    if (this.isEmpty) throw new ModelError('unavailable', 'The model named no call.');
    for (const { id, name, input } of this.#calls) {
      yield { type: 'tool-call', id, name: toolName(name), input: parseToolInput(input) };
    }
  }
}
