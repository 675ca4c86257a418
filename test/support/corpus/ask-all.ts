import type { Turn } from '#lib/ai/engine.ts';
import { replyLanguage } from '#lib/messaging/generate.ts';
import { ask, type Reply } from '../demo-tools.ts';
import type { Document } from '../world.ts';
import type { Question } from './question.ts';

/** The answer to the last message of a customer. The earlier messages are answered, too. */
export async function answerTo({ asks }: Question, { workspace }: Document): Promise<Reply> {
  const turns: Turn[] = [];
  let reply: Reply | undefined;
  for (const text of [asks].flat()) {
    turns.push({ role: 'user', text });
    const language = replyLanguage({ conversation: { language: null }, text, agent: {}, workspace });
    reply = await ask({ workspaceId: workspace.id }, turns, { language });
    turns.push({ role: 'assistant', text: reply.text });
  }
  if (!reply) throw new Error('Nothing is asked.');
  return reply;
}

/** The errors of an answer. */
export function faultsOf({ says, not = [] }: Question, text: string): string[] {
  return [
    ...says.filter((words) => !text.includes(words)).map((words) => `does not say ${words}`),
    ...not.filter((words) => text.includes(words)).map((words) => `says ${words}`),
  ];
}
