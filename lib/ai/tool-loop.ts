import { type Citation, citationsOf, type Source } from './citation.ts';
import {
  type EngineRequest,
  type FinishReason,
  ModelError,
  type Part,
  type ToolCall,
  type ToolDefinition,
  type ToolResult,
  type Turn,
  type Usage,
} from './engine.ts';
import type { SelectedEngine } from './select-engine.ts';
import { TokenMeter } from './token-meter.ts';

/** What an agent can look things up with; made for one workspace, which no call can change. */
export interface Toolbox {
  readonly definitions: readonly ToolDefinition[];
  /** What a model did wrong is an outcome that tells it so; only what keeps the data from being read is thrown. */
  call(call: ToolCall): Promise<ToolOutcome>;
}

export interface ToolOutcome {
  /** JSON. */
  readonly output: string;
  /** The records that are in it. */
  readonly sources: readonly Source[];
}

/** A piece of text, or, as the last one, what the whole reply was made of. */
export type ReplyPart = { readonly type: 'text'; readonly delta: string } | ({ readonly type: 'end' } & ReplyEnd);

export interface ReplyEnd {
  readonly reason: Exclude<FinishReason, 'tool_calls'>;
  readonly citations: readonly Citation[];
  readonly usage: Usage;
}

/** How often a model may look things up before it has to answer. */
const toolStepsMax = 4;
const callsPerStepMax = 8;

/**
 * Lets a model answer, look-ups included: the same loop for every engine.
 * @param meter counts what it costs, also when it fails
 * @throws ModelError, and whatever keeps the tools from reading
 */
export async function* generateReply(
  { engine, model }: SelectedEngine,
  request: Omit<EngineRequest, 'model' | 'tools' | 'toolChoice'>,
  toolbox: Toolbox,
  meter = new TokenMeter(),
): AsyncGenerator<ReplyPart> {
  const turns: Turn[] = [...request.messages];
  const sources: Source[] = [];
  let before = '';
  for (let step = 0; step <= toolStepsMax; step++) {
    const toolChoice = step === toolStepsMax ? 'none' : 'auto';
    const calls: ToolCall[] = [];
    let text = '';
    let finish: Extract<Part, { type: 'finish' }> | undefined;
    const { definitions: tools } = toolbox;
    const asked = { ...request, model, messages: turns, tools, toolChoice } as const;
    meter.begin(asked);
    for await (const part of engine.stream(asked)) {
      meter.add(part);
      if (part.type === 'text' && part.delta !== '') {
        // What was said before a look-up and what is said after it are two sentences, not one.
        if (text === '' && before !== '' && !/\s$/.test(before)) yield { type: 'text', delta: '\n\n' };
        text += part.delta;
        yield { type: 'text', delta: part.delta };
      } else if (part.type === 'tool-call') calls.push({ id: part.id, name: part.name, input: part.input });
      else if (part.type === 'finish') finish = part;
    }
    if (finish === undefined) throw new ModelError('unavailable', 'The engine ended without saying so.');
    before += text;
    const { reason, citesNamedOnly } = finish;
    if (reason !== 'tool_calls') {
      return yield {
        type: 'end',
        reason,
        citations: citationsOf(before, sources, citesNamedOnly),
        usage: meter.reported,
      };
    }
    turns.push({ role: 'assistant', text, toolCalls: calls.slice(0, callsPerStepMax) });
    turns.push({ role: 'tool', results: await lookUp(toolbox, calls.slice(0, callsPerStepMax), sources) });
  }
  throw new ModelError('unavailable', 'The model kept looking things up instead of answering.');
}

async function lookUp(toolbox: Toolbox, calls: readonly ToolCall[], sources: Source[]): Promise<ToolResult[]> {
  const outcomes = await Promise.all(calls.map((call) => toolbox.call(call)));
  for (const outcome of outcomes) sources.push(...outcome.sources);
  return calls.map(({ id, name }, index) => ({ id, name, output: outcomes[index]?.output ?? '{}' }));
}
