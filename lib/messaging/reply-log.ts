import { offlineModel } from '#lib/ai/select-engine.ts';
import { logWork } from '#lib/http/log.ts';
import type { Generated } from './generate.ts';
import { failureOf, type ReplyFailure } from './reply-failure.ts';
import type { ReplyOrder } from './reply-order.ts';

/** What a reply was made by, and what it cost. */
export function logMade(order: ReplyOrder, { model, end }: Generated): void {
  const maker = model === offlineModel ? 'retrieval and templates, which is no language model' : 'a language model';
  logWork('info', `A reply was made by ${maker}.`, { ...subject(order), model, reason: end.reason, ...end.usage });
}

/** The end of these is decided by the workspace's own bounds or by another request; no reply is missing. */
const expected: ReadonlySet<ReplyFailure> = new Set(['used_up', 'busy', 'lost', 'aborted']);

/** Logs the real cause for the operator. The answer is HTTP 200 all the same, so a counter of its own raises the alarm. */
export function logFailed(order: ReplyOrder, error: unknown): void {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const failure = failureOf(error);
  const isExpected = expected.has(failure);
  if (!isExpected) order.counters.aiReplyFailures = 1;
  const cause = `${name}: ${message}`;
  logWork(isExpected ? 'warn' : 'error', 'A reply failed.', { ...subject(order), failure, cause });
}

/** Neither texts nor keys. */
const subject = ({ requestId, scope, conversation, agent, answered }: ReplyOrder) => ({
  requestId,
  workspaceId: scope.workspaceId,
  conversationId: conversation.id,
  agentId: agent.id,
  messageId: answered.message.id,
});
