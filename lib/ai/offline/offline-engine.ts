import { setTimeout as pause } from 'node:timers/promises';
import { type Engine, type EngineRequest, ModelError, type Part } from '../engine.ts';
import { arabic } from './arabic.ts';
import { english } from './english.ts';
import { Lookups } from './lookups.ts';
import { type Answer, nextStep, type Step } from './next-step.ts';
import { questionsOf } from './parts.ts';
import type { Phrases } from './phrases.ts';
import type { Wanted } from './searches.ts';

/** Words come one after the other, as from any engine, but a reply never takes longer than this. */
const wordMilliseconds = 10;
const replyMillisecondsMax = 800;
const callsPerStepMax = 8;

/** How an answer is told. */
interface Manner {
  /** Milliseconds a word. */
  readonly pace: number;
  readonly citesNamedOnly: boolean;
}

/** A look-up for one of the questions of a message. */
interface PartCall extends Wanted {
  readonly part: number;
}

/**
 * No language model: rules find out what a message asks, the tools look it up in the workspace's own data, and
 * sentences that are written here tell it. The same message and data always make the same reply.
 */
export const offlineEngine: Engine = paced(wordMilliseconds);

/** The engine at another pace, for who has many questions: so many milliseconds a word, at most. */
export function paced(milliseconds: number): Engine {
  return { stream: (request) => streamReply(request, milliseconds) };
}

async function* streamReply(request: EngineRequest, pace: number): AsyncGenerator<Part> {
  const { messages, tools, toolChoice, language, signal } = request;
  throwIfAborted(signal);
  const phrases = /^ar\b/.test(language) ? arabic : english;
  const names = new Set(toolChoice === 'none' ? [] : tools.map(({ name }) => name));
  const steps = questionsOf(messages).map((question, part) =>
    nextStep({ question, lookups: new Lookups(messages, `call_${part}_`), tools: names, phrases }),
  );
  const calls = callsOf(steps);
  if (calls.length > 0) return yield* lookUps(calls, messages.length);
  const answers = steps.filter((step) => 'text' in step);
  const isFound = answers.some(({ isHandOver, isInPassing }) => !isHandOver && !isInPassing);
  yield* words(textOf(answers, phrases), request, { pace, citesNamedOnly: !isFound });
}

/** As many questions are looked up at once as there is room for; the others have their turn in the next step. */
function callsOf(steps: readonly Step[]): PartCall[] {
  const all: PartCall[] = [];
  for (const [part, step] of steps.entries()) {
    const calls = 'calls' in step ? step.calls.map((call) => ({ ...call, part })) : [];
    if (all.length + calls.length <= callsPerStepMax) all.push(...calls);
  }
  return all;
}

function* lookUps(calls: readonly PartCall[], turn: number): Generator<Part> {
  for (const [index, { name, input, part }] of calls.entries()) {
    yield { type: 'tool-call', id: `call_${part}_${turn}_${index}`, name, input };
  }
  yield { type: 'finish', reason: 'tool_calls' };
}

/** The answers to all questions of a message; where there is none to some of them it is said once. */
function textOf(answers: readonly Answer[], { rest }: Phrases): string {
  const found = answers.filter(({ isHandOver }) => !isHandOver);
  const told = found.length > 0 ? found : answers.slice(0, 1);
  const texts = [...new Set(told.map(({ text }) => text))];
  return [...texts, ...(told.length < answers.length && found.length > 0 ? [rest] : [])].join('\n\n');
}

async function* words(
  text: string,
  { maxTokens, signal }: EngineRequest,
  { pace, citesNamedOnly }: Manner,
): AsyncGenerator<Part> {
  const all = text.match(/\s*\S+/g) ?? [];
  const milliseconds = Math.min(pace, replyMillisecondsMax / all.length);
  for (const delta of all.slice(0, maxTokens)) {
    yield { type: 'text', delta };
    if (pace > 0) await pause(milliseconds, undefined, { signal }).catch(() => throwIfAborted(signal));
  }
  yield { type: 'finish', reason: all.length > maxTokens ? 'length' : 'stop', citesNamedOnly };
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new ModelError('aborted', 'The reply is no longer wanted.');
}
