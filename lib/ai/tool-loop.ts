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
import { promptTokens, TokenMeter } from './token-meter.ts';

/** The tools of an agent, bound to one workspace. No call can change the workspace. */
export interface Toolbox {
  readonly definitions: readonly ToolDefinition[];
  /** Runs a call. A model's mistake is an outcome; only failed reads throw. */
  call(call: ToolCall): Promise<ToolOutcome>;
}

export interface ToolOutcome {
  /** JSON. */
  readonly output: string;
  /** The records in the output. */
  readonly sources: readonly Source[];
}

/** A piece of text or, at the end, the sources and metadata of the whole reply. */
export type ReplyPart = { readonly type: 'text'; readonly delta: string } | ({ readonly type: 'end' } & ReplyEnd);

export interface ReplyEnd {
  readonly reason: Exclude<FinishReason, 'tool_calls'>;
  readonly citations: readonly Citation[];
  readonly usage: Usage;
}

/** Limits the cost of a model's calls. */
export interface CallBudget {
  /**
   * Called before each call of the model.
   * @param tokens the estimated maximum of the call
   * @returns `none` if this must be the last call
   */
  begin(tokens: number): Promise<'auto' | 'none'>;
  /** Called after every started call, also a failed one, with its tokens. */
  end(spent: number): void;
}

/** The maximum rounds of tool calls before a model must answer. */
const toolStepsMax = 4;
const callsPerStepMax = 8;
/** The maximum size of all tool results of a reply. Every later call of the model pays for them. */
const resultCharactersMax = 40_000;

export interface ReplyCosts {
  /** Counts the tokens of the reply, also of a failed one. */
  readonly meter?: TokenMeter;
  /** @default unlimited */
  readonly budget?: CallBudget | undefined;
}

type ReplyRequest = Omit<EngineRequest, 'model' | 'tools' | 'toolChoice'>;

/**
 * Generates a reply with its tool calls, for every engine.
 * @throws ModelError, and errors of the tools and the budget
 */
export async function* generateReply(
  selected: SelectedEngine,
  request: ReplyRequest,
  toolbox: Toolbox,
  { meter = new TokenMeter(), budget }: ReplyCosts = {},
): AsyncGenerator<ReplyPart> {
  const lookUps = new LookUps(toolbox);
  const turns: Turn[] = [...request.messages];
  let before = '';
  for (let step = 0; step <= toolStepsMax; step++) {
    const prompt = { system: request.system, messages: turns, tools: toolbox.definitions };
    const allowed = await budget?.begin(promptTokens(prompt) + request.maxTokens);
    const isLast = step === toolStepsMax || allowed === 'none' || lookUps.isOver;
    const stepRequest = { ...request, ...prompt, model: selected.model, toolChoice: isLast ? 'none' : 'auto' } as const;
    meter.begin(stepRequest);
    let answer: StepAnswer;
    try {
      answer = yield* answerOf(selected.engine.stream(stepRequest), before, meter);
    } finally {
      budget?.end(meter.lastSpent);
    }
    const { reason, citesNamedOnly } = answer.finish;
    before += answer.text;
    if (reason !== 'tool_calls') {
      const citations = citationsOf(before, lookUps.sources, citesNamedOnly);
      return yield { type: 'end', reason, citations, usage: meter.reported };
    }
    if (isLast) break;
    const calls = answer.calls.slice(0, callsPerStepMax);
    turns.push({ role: 'assistant', text: answer.text, toolCalls: calls });
    turns.push({ role: 'tool', results: await lookUps.run(calls) });
  }
  throw new ModelError('unavailable', 'The model kept looking things up instead of answering.');
}

/** The answer to one call of the model. */
interface StepAnswer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly finish: Extract<Part, { type: 'finish' }>;
}

/** Passes the visible text on. @param before the text of earlier calls */
async function* answerOf(
  parts: AsyncIterable<Part>,
  before: string,
  meter: TokenMeter,
): AsyncGenerator<ReplyPart, StepAnswer> {
  let text = '';
  let finish: StepAnswer['finish'] | undefined;
  const calls: ToolCall[] = [];
  for await (const part of parts) {
    meter.add(part);
    if (part.type === 'text' && part.delta !== '') {
      // Text before and after a tool call becomes two paragraphs.
      if (text === '' && before !== '' && !/\s$/.test(before)) yield { type: 'text', delta: '\n\n' };
      text += part.delta;
      yield { type: 'text', delta: part.delta };
    } else if (part.type === 'tool-call') calls.push({ id: part.id, name: part.name, input: part.input });
    else if (part.type === 'finish') finish = part;
  }
  if (finish === undefined) throw new ModelError('unavailable', 'The engine ended without saying so.');
  return { text, calls, finish };
}

const budgetExhausted = JSON.stringify({
  error: 'This reply has looked up as much as it may. Answer with what you have.',
});

/** The tool calls of one reply, within the limit of their results. */
class LookUps {
  readonly sources: Source[] = [];
  readonly #toolbox: Toolbox;
  #left = resultCharactersMax;

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  /** True if a result was withheld. */
  get isOver(): boolean {
    return this.#left <= 0;
  }

  async run(calls: readonly ToolCall[]): Promise<ToolResult[]> {
    const outcomes = await Promise.all(calls.map((call) => this.#toolbox.call(call)));
    return calls.map(({ id, name }, index) => ({ id, name, output: this.#take(outcomes[index]) }));
  }

  #take(outcome: ToolOutcome | undefined): string {
    if (!outcome || outcome.output.length > this.#left) {
      this.#left = 0;
      return budgetExhausted;
    }
    this.#left -= outcome.output.length;
    this.sources.push(...outcome.sources);
    return outcome.output;
  }
}
