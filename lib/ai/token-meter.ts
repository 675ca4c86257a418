import type { EngineRequest, Part, Usage } from './engine.ts';

type Prompt = Pick<EngineRequest, 'system' | 'messages' | 'tools'>;

/** One call of a model. */
interface Call {
  readonly prompt: Prompt;
  /** The answer so far; undefined before it has begun. */
  answer: string | undefined;
  /** The count that the model's server reports. */
  reported: Usage | undefined;
}

/** Lower than the average of any language, so that estimates are rather too high. */
const bytesPerToken = 3;

const estimate = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerToken);

/** Estimates the tokens of a prompt. */
export const promptTokens = ({ system, messages, tools }: Prompt): number =>
  estimate(JSON.stringify([system, messages, tools]));

/** Counts the tokens of a reply, call by call, so that failed replies also count. */
export class TokenMeter {
  readonly #calls: Call[] = [];

  begin({ system, messages, tools }: Prompt): void {
    this.#calls.push({ prompt: { system, messages: [...messages], tools }, answer: undefined, reported: undefined });
  }

  /** @param part a part of the answer to the last call */
  add(part: Part): void {
    const call = this.#calls.at(-1);
    if (!call) return;
    call.answer = (call.answer ?? '') + textOf(part);
    if (part.type === 'usage' && isCount(part)) call.reported = part;
  }

  /** The counts that the model's server reports. */
  get reported(): Usage {
    const counts = this.#calls.map(({ reported }) => reported ?? { inputTokens: 0, outputTokens: 0 });
    return {
      inputTokens: sum(counts.map(({ inputTokens }) => inputTokens)),
      outputTokens: sum(counts.map(({ outputTokens }) => outputTokens)),
    };
  }

  /** Input and output tokens of the last call, estimated without a count of the server. */
  get lastSpent(): number {
    const call = this.#calls.at(-1);
    return call ? costOf(call) : 0;
  }

  /** Tokens of all calls. */
  get spent(): number {
    return sum(this.#calls.map(costOf));
  }
}

/** An unanswered call costs nothing. */
function costOf({ prompt, answer, reported }: Call): number {
  if (reported) return reported.inputTokens + reported.outputTokens;
  return answer === undefined ? 0 : promptTokens(prompt) + estimate(answer);
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** Some servers report zeros. */
const isCount = ({ inputTokens, outputTokens }: Usage): boolean =>
  [inputTokens, outputTokens].every((count) => Number.isInteger(count) && count >= 0 && count < 1e9) &&
  inputTokens + outputTokens > 0;

function textOf(part: Part): string {
  if (part.type === 'text') return part.delta;
  return part.type === 'tool-call' ? JSON.stringify([part.name, part.input]) : '';
}
