import { setTimeout as pause } from 'node:timers/promises';
import { type Engine, type EngineRequest, ModelError, type Part, type Turn } from '../engine.ts';
import { arabic } from './arabic.ts';
import { english } from './english.ts';
import { isBare, type Question, understand } from './intents.ts';
import { Lookups } from './lookups.ts';
import { nextStep } from './next-step.ts';

/** Words come one after the other, as from any engine, but a reply never takes longer than this. */
const wordMilliseconds = 10;
const replyMillisecondsMax = 800;

/**
 * No language model: rules find out what a message asks, the tools look it up in the workspace's own data, and
 * sentences that are written here tell it. The same message and data always make the same reply.
 */
export const offlineEngine: Engine = { stream: streamReply };

async function* streamReply(request: EngineRequest): AsyncGenerator<Part> {
  const { messages, tools, toolChoice, language, signal } = request;
  throwIfAborted(signal);
  const step = nextStep({
    question: questionOf(messages),
    lookups: new Lookups(messages),
    tools: new Set(toolChoice === 'none' ? [] : tools.map(({ name }) => name)),
    phrases: /^ar\b/.test(language) ? arabic : english,
  });
  if ('text' in step) return yield* words(step.text, request);
  for (const [index, { name, input }] of step.calls.entries()) {
    yield { type: 'tool-call', id: `call_${messages.length}_${index}`, name, input };
  }
  yield { type: 'finish', reason: 'tool_calls' };
}

async function* words(text: string, { maxTokens, signal }: EngineRequest): AsyncGenerator<Part> {
  const all = text.match(/\s*\S+/g) ?? [];
  const milliseconds = Math.min(wordMilliseconds, replyMillisecondsMax / all.length);
  for (const delta of all.slice(0, maxTokens)) {
    yield { type: 'text', delta };
    await pause(milliseconds, undefined, { signal }).catch(() => throwIfAborted(signal));
  }
  yield { type: 'finish', reason: all.length > maxTokens ? 'length' : 'stop' };
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new ModelError('aborted', 'The reply is no longer wanted.');
}

/** A message that names nothing itself, such as "How much is it?", is about what was asked before. */
function questionOf(turns: readonly Turn[]): Question {
  const texts = turns.flatMap((turn) => (turn.role === 'user' ? [turn.text.split(paragraphEnd)] : [])).reverse();
  const questions = (texts[0] ?? []).map(understand).reverse();
  const question =
    questions.find((one) => !isBare(one)) ?? questions.find(isQuestion) ?? understand(texts[0]?.[0] ?? '');
  if (!isBare(question) || !isQuestion(question)) return question;
  const earlier = texts.slice(1).flatMap((paragraphs) => paragraphs.map(understand).reverse());
  const subject = earlier.find((before) => !isBare(before));
  return subject ? { ...question, query: subject.query, diet: subject.diet } : question;
}

/** Whether something is asked of what was spoken of before, if of anything. */
const isQuestion = ({ intents }: Question): boolean =>
  (['price', 'availability', 'preparation', 'nutrition'] as const).some((intent) => intents.has(intent));

const paragraphEnd = /\n\s*\n/;
