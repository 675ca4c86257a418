import { offlineModel } from '#lib/ai/select-engine.ts';
import { logWork } from '#lib/http/log.ts';
import type { Generated } from './generate.ts';
import { failureOf } from './reply-failure.ts';
import type { ReplyOrder } from './reply-order.ts';

/** What a reply was made by, and what it cost. */
export function logMade(order: ReplyOrder, { model, end }: Generated): void {
  const maker = model === offlineModel ? 'retrieval and templates, which is no language model' : 'a language model';
  logWork('info', `A reply was made by ${maker}.`, { ...subject(order), model, reason: end.reason, ...end.usage });
}

/** What has really happened, for whoever runs the service. */
export function logFailed(order: ReplyOrder, error: unknown): void {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  logWork('warn', 'A reply failed.', {
    ...subject(order),
    failure: failureOf(error),
    cause: `${name}: ${message}`,
  });
}

/** Neither texts nor keys. */
const subject = ({ requestId, scope, conversation, agent, answered }: ReplyOrder) => ({
  requestId,
  workspaceId: scope.workspaceId,
  conversationId: conversation.id,
  agentId: agent.id,
  messageId: answered.message.id,
});
