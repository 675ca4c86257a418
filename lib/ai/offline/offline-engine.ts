import { setTimeout as pause } from 'node:timers/promises';
import { isArabic } from '#lib/domain/text/language-tag.ts';
import { type Engine, type EngineRequest, ModelError, type Part } from '../engine.ts';
import { arabic } from '../languages/arabic.ts';
import { english } from '../languages/english.ts';
import { nextStep } from './answer.ts';
import { lookupsIn } from './lookups.ts';
import { readQuestion } from './question.ts';

/** The pause between words, which imitates other engines. The whole reply never takes longer than the limit below. */
const wordMilliseconds = 10;
const replyMillisecondsMax = 800;

/**
 * An engine without a language model. It searches the workspace's data for the words of a message, and answers with the
 * best record in a template. If no record is good enough, a person takes over. The same message and data always make
 * the same reply.
 */
export const offlineEngine: Engine = paced(wordMilliseconds);

/** Makes the engine with another pause between words. */
export function paced(milliseconds: number): Engine {
  return { stream: (request) => streamReply(request, milliseconds) };
}

async function* streamReply(request: EngineRequest, pace: number): AsyncGenerator<Part> {
  const { messages, tools, toolChoice, language, signal } = request;
  throwIfAborted(signal);
  const { phrases } = isArabic(language) ? arabic : english;
  const usable = new Set(toolChoice === 'none' ? [] : tools.map(({ name }) => name));
  const text = messages.findLast((turn) => turn.role === 'user')?.text ?? '';
  const step = nextStep({ question: readQuestion(text), lookups: lookupsIn(messages), tools: usable, phrases });
  if ('text' in step) {
    yield* words(step.text, request, pace, step.isHandOver === true || step.isSmallTalk === true);
    return;
  }
  for (const call of step.calls) yield { type: 'tool-call', ...call };
  yield { type: 'finish', reason: 'tool_calls' };
}

async function* words(
  text: string,
  { maxTokens, signal }: EngineRequest,
  pace: number,
  citesNamedOnly: boolean,
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
