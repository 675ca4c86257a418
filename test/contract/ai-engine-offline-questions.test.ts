import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Turn } from '#lib/ai/engine.ts';
import { replyLanguage } from '#lib/messaging/generate.ts';
import { bakery } from '#test/support/corpus/bakery.ts';
import { bakeryQuestions } from '#test/support/corpus/bakery-questions.ts';
import { demoQuestions } from '#test/support/corpus/demo-questions.ts';
import { dental } from '#test/support/corpus/dental.ts';
import { dentalQuestions } from '#test/support/corpus/dental-questions.ts';
import type { Question } from '#test/support/corpus/question.ts';
import { ask, type Reply } from '#test/support/demo-tools.ts';
import { someOf } from '#test/support/long-run.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { type Document, storeWorkspace } from '#test/support/world.ts';

/** The answer to the last message of a customer. The earlier messages are answered, too. */
async function answerTo({ asks }: Question, { workspace }: Document): Promise<Reply> {
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
function faultsOf({ says, not = [] }: Question, text: string): string[] {
  return [
    ...says.filter((words) => !text.includes(words)).map((words) => `does not say ${words}`),
    ...not.filter((words) => text.includes(words)).map((words) => `says ${words}`),
  ];
}

const askers = 4;

const opened = async (document: Document): Promise<Document> => {
  await storeWorkspace(document);
  return document;
};

const businesses: readonly (readonly [name: string, open: () => Promise<Document>, questions: readonly Question[]])[] =
  [
    ['a restaurant', async () => (await openWorkspace('demo')).document, demoQuestions],
    ['a bakery', () => opened(bakery()), bakeryQuestions],
    ['a dental clinic', () => opened(dental()), dentalQuestions],
  ];

describe.each(businesses)('questions of customers to %s', (_, open, all) => {
  const questions = someOf(all, 30);
  const answers = new Map<Question, string>();
  beforeAll(async () => {
    const document = await open();
    const left = questions.values();
    const asker = async () => {
      for (const question of left) answers.set(question, (await answerTo(question, document)).text);
    };
    await Promise.all(Array.from({ length: askers }, asker));
  });

  it.each(questions.map((question) => [[question.asks].flat().join(' / '), question] as const))(
    '%s',
    (_text, question) => {
      const answer = answers.get(question) ?? '';
      expect({ answer, faults: faultsOf(question, answer) }).toEqual({ answer, faults: [] });
    },
  );
});
