import { randomUUID } from 'node:crypto';
import { offlineModel } from '#lib/ai/select-engine.ts';
import { isWithTeam, type Message } from '#lib/domain/messaging/conversation.ts';
import type { Notification } from '#lib/domain/messaging/notification.ts';
import { logWork } from '#lib/http/work-log.ts';
import { newDatedId } from '#lib/table/dated-ids.ts';
import { type AiRun, AiRuns } from '#lib/table/messaging/ai-runs.ts';
import type { ComposedMessage, NewMessage } from '#lib/table/messaging/append-message.ts';
import { Messages } from '#lib/table/messaging/messages.ts';
import { referenceItems } from '#lib/table/references.ts';
import { newItem } from '#lib/table/stored-item.ts';
import { type Generated, generate } from './generate.ts';
import type { ReplyJob } from './reply-context.ts';
import type { EndEvent } from './reply-event.ts';
import { failureEvent, failureOf, ReplyFailed, type ReplyFailure } from './reply-failure.ts';
import type { ReplyMailbox } from './reply-mailbox.ts';
import { keepLease, waitForRun } from './run-lease.ts';
import { TokenBudget } from './token-budget.ts';

const callMilliseconds = 2_600;
export const commitMilliseconds = 4_000;

/**
 * Puts an agent's only reply to a message into the mailbox. It may be stored, in progress elsewhere, or new. Never
 * rejects, because a stream that has started can only report an error as its last event.
 */
export async function produceReply(job: ReplyJob, mailbox: ReplyMailbox): Promise<void> {
  try {
    mailbox.close(await findOrGenerate(job, mailbox));
  } catch (error) {
    logFailure(job, error);
    mailbox.close(failureEvent(failureOf(error)));
  }
}

async function findOrGenerate(job: ReplyJob, mailbox: ReplyMailbox): Promise<EndEvent> {
  const deadline = AbortSignal.timeout(job.milliseconds);
  const { reply } = job.answered;
  if (reply) return replay(reply, mailbox);
  const owner = randomUUID();
  for (let missingReplyId = ''; ; ) {
    const claimed = await claim(job, owner, missingReplyId);
    if (claimed.owner === owner) return generateAndStore(job, claimed, deadline, mailbox);
    const run = claimed.status === 'running' ? await waitForRun(() => runsOf(job), deadline) : claimed;
    if (run?.status === 'failed') return failureEvent(run.failure);
    if (run?.status !== 'done') continue;
    const { replyId = '' } = run;
    const stored = await new Messages(job.tableFor(callMilliseconds), job.scope).find(job.conversation.id, replyId);
    if (stored) return replay(stored, mailbox);
    missingReplyId = replyId;
  }
}

/** Claims the run. A claim that timed out may have succeeded, so it is released: other requests must not wait for it. */
async function claim(job: ReplyJob, owner: string, missingReplyId: string): Promise<AiRun> {
  try {
    return await runsOf(job).claim(owner, missingReplyId);
  } catch (error) {
    await giveUp(job, owner, error);
    throw error;
  }
}

/** @returns the current run, or undefined when the table does not answer */
const giveUp = (job: ReplyJob, owner: string, error: unknown): Promise<AiRun | undefined> =>
  runsOf(job)
    .fail(owner, failureOf(error))
    .catch(() => undefined);

function replay({ id, text }: Message, mailbox: ReplyMailbox): EndEvent {
  mailbox.push(text);
  return { type: 'done', messageId: id, text };
}

/** Generates and stores the reply. `done` is sent only after the commit. */
async function generateAndStore(
  job: ReplyJob,
  run: AiRun,
  deadline: AbortSignal,
  mailbox: ReplyMailbox,
): Promise<EndEvent> {
  const leaseLoss = new AbortController();
  const signal = AbortSignal.any([deadline, leaseLoss.signal]);
  using _lease = keepLease(
    () => runsOf(job),
    run.owner,
    () => leaseLoss.abort(),
  );
  await using resources = new AsyncDisposableStack();
  const tableForCall = () => job.tableFor(callMilliseconds);
  const openBudget = (perDay: number) => resources.use(new TokenBudget(tableForCall, job.scope, run.owner, perDay));
  try {
    const table = job.tableFor(job.milliseconds);
    const generation = { scope: job.scope, table, openBudget, signal };
    const generated = await generate(job, generation, mailbox);
    mailbox.complete();
    const reply = await runsOf(job, commitMilliseconds).finish(run.owner, (conversation) => {
      // The team may have taken it over in the meantime.
      if (isWithTeam(conversation)) throw new ReplyFailed('with_team', 'A member of the team has the conversation.');
      const message = replyMessage(job, mailbox.text, generated);
      const { agent, requestId } = job;
      const author = { actor: { type: 'agent', id: agent.id, name: agent.name }, requestId } as const;
      return { message, author, ...(generated.handsOver && handOverOf(job)) };
    });
    logSuccess(job, generated);
    return { type: 'done', messageId: reply.id, text: reply.text };
  } catch (thrown) {
    const error = reasonFor(thrown, deadline, leaseLoss.signal);
    const now = await giveUp(job, run.owner, error);
    // The commit succeeded and only its answer was lost.
    if (now?.status === 'done' && now.owner === run.owner) {
      return { type: 'done', messageId: now.replyId ?? '', text: mailbox.text };
    }
    throw error;
  }
}

/** The reason for an abort explains more than the error of the aborted call. */
function reasonFor(error: unknown, deadline: AbortSignal, leaseLoss: AbortSignal): unknown {
  if (leaseLoss.aborted) return new ReplyFailed('lost', 'Another process has taken over the run.');
  return deadline.aborted ? new ReplyFailed('deadline', 'The reply took too long.') : error;
}

function replyMessage(job: ReplyJob, text: string, { model, end }: Generated): NewMessage {
  const { agent, answered, channelId, senderId } = job;
  return {
    senderType: 'agent',
    senderId: agent.id,
    channelId,
    text,
    attachments: [],
    inReplyTo: answered.message.id,
    onBehalfOf: senderId,
    model,
    citations: [...end.citations],
  };
}

/** Hands the conversation over to the team, and notifies the workspace, in the transaction of the reply. */
const handOverOf = ({ scope }: ReplyJob): Pick<ComposedMessage, 'changes' | 'additionalWrites'> => ({
  changes: { assignee: null, status: 'pending' },
  additionalWrites: ({ conversationId, createdAt }) => {
    const id = newDatedId('not_', new Date(createdAt));
    const notification: Notification = { id, type: 'hand_over', conversationId, readAt: null, createdAt };
    const { workspaceId } = scope;
    const items = [
      newItem(workspaceId, 'notification', notification),
      ...referenceItems(workspaceId, 'notification', notification),
    ];
    return { notification: items.map((Item) => ({ Put: { Item } })) };
  },
});

const runsOf = ({ tableFor, scope, conversation, agent, answered }: ReplyJob, milliseconds = callMilliseconds) =>
  new AiRuns(tableFor(milliseconds), scope, {
    conversationId: conversation.id,
    agentId: agent.id,
    messageId: answered.message.id,
  });

function logSuccess(job: ReplyJob, { model, end }: Generated): void {
  const maker = model === offlineModel ? 'retrieval and templates, which is no language model' : 'a language model';
  logWork('info', `A reply was made by ${maker}.`, { ...subject(job), model, reason: end.reason, ...end.usage });
}

/** Failures caused by a workspace limit or a concurrent request. They need no operator. */
const expected: ReadonlySet<ReplyFailure> = new Set([
  'used_up',
  'share_used_up',
  'busy',
  'lost',
  'gone',
  'with_team',
  'aborted',
]);

/** Logs the real cause for the operator. The response status is 200, so a separate counter raises the alarm. */
function logFailure(job: ReplyJob, error: unknown): void {
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
