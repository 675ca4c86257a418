import { offlineModel } from '#lib/ai/select-engine.ts';
import { logWork } from '#lib/http/log.ts';
import type { Generated } from './generate.ts';
import { failureOf, type ReplyFailure } from './reply-failure.ts';
import type { ReplyJob } from './reply-job.ts';

/** Logs the model and the cost of a reply. */
export function logSuccess(job: ReplyJob, { model, end }: Generated): void {
  const maker = model === offlineModel ? 'retrieval and templates, which is no language model' : 'a language model';
  logWork('info', `A reply was made by ${maker}.`, { ...subject(job), model, reason: end.reason, ...end.usage });
}

/** Failures caused by a workspace limit or a concurrent request. They need no operator. */
const expected: ReadonlySet<ReplyFailure> = new Set([
  'used_up',
  'share_used_up',
  'busy',
  'lost',
  'with_team',
  'aborted',
]);

/** Logs the real cause for the operator. The response status is 200, so a separate counter raises the alarm. */
export function logFailure(job: ReplyJob, error: unknown): void {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const failure = failureOf(error);
  const isExpected = expected.has(failure);
  if (!isExpected) job.counters.aiReplyFailures = 1;
  const cause = `${name}: ${message}`;
  logWork(isExpected ? 'warn' : 'error', 'A reply failed.', { ...subject(job), failure, cause });
}

/** Ids only: no message texts and no keys. */
const subject = ({ requestId, scope, conversation, agent, answered }: ReplyJob) => ({
  requestId,
  workspaceId: scope.workspaceId,
  conversationId: conversation.id,
  agentId: agent.id,
  messageId: answered.message.id,
});
