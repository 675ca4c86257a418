import { randomUUID } from 'node:crypto';
import type { Message } from '#lib/domain/message.ts';
import { type AiRun, AiRuns } from '#lib/table/ai-runs.ts';
import { Messages } from '#lib/table/messages.ts';
import { type Generated, generate } from './generate.ts';
import { keepLease } from './keep-lease.ts';
import type { EndEvent } from './reply-event.ts';
import { failureEvent, failureOf, ReplyFailed } from './reply-failure.ts';
import { logFailed, logMade } from './reply-log.ts';
import type { ReplyMailbox } from './reply-mailbox.ts';
import type { ReplyOrder } from './reply-order.ts';
import { TokenBudget } from './token-budget.ts';
import { whenSettled } from './when-settled.ts';

const callMilliseconds = 2_600;
const commitMilliseconds = 4_000;

/**
 * Brings the one reply there is to a message by an agent into the mailbox: the stored one, the one that somebody else
 * is just making, or else a new one. It never rejects, because a stream that has begun can only say what went wrong.
 */
export async function produceReply(order: ReplyOrder, mailbox: ReplyMailbox): Promise<void> {
  try {
    mailbox.close(await endOf(order, mailbox));
  } catch (error) {
    logFailed(order, error);
    mailbox.close(failureEvent(failureOf(error)));
  }
}

async function endOf(order: ReplyOrder, mailbox: ReplyMailbox): Promise<EndEvent> {
  const deadline = AbortSignal.timeout(order.milliseconds);
  const { reply } = order.answered;
  if (reply) return replay(reply, mailbox);
  const owner = randomUUID();
  for (let gone = ''; ; ) {
    const claimed = await claim(order, owner, gone);
    if (claimed.owner === owner) return make(order, claimed, deadline, mailbox);
    const run = claimed.status === 'running' ? await whenSettled(() => runsOf(order), deadline) : claimed;
    if (run?.status === 'failed') return failureEvent(run.failure);
    if (run?.status !== 'done') continue;
    const stored = await new Messages(order.tableFor(callMilliseconds), order.scope).find(
      order.conversation.id,
      run.replyId,
    );
    if (stored) return replay(stored, mailbox);
    gone = run.replyId;
  }
}

/** Takes the run. A claim without an answer may have come through, and nobody is to wait for who gave up on it. */
async function claim(order: ReplyOrder, owner: string, gone: string): Promise<AiRun> {
  try {
    return await runsOf(order).claim(owner, newReplyId(), gone);
  } catch (error) {
    await giveUp(order, owner, error);
    throw error;
  }
}

/** @returns the run as it is now, as far as that can be told */
const giveUp = (order: ReplyOrder, owner: string, error: unknown): Promise<AiRun | undefined> =>
  runsOf(order)
    .fail(owner, failureOf(error))
    .catch(() => undefined);

function replay({ id, text }: Message, mailbox: ReplyMailbox): EndEvent {
  mailbox.push(text);
  return { type: 'done', messageId: id, text };
}

/** Makes the reply and stores it; `done` is said only of what is stored. */
async function make(order: ReplyOrder, run: AiRun, deadline: AbortSignal, mailbox: ReplyMailbox): Promise<EndEvent> {
  const loss = new AbortController();
  const signal = AbortSignal.any([deadline, loss.signal]);
  using _lease = keepLease(
    () => runsOf(order),
    run.owner,
    () => loss.abort(),
  );
  await using resources = new AsyncDisposableStack();
  const tableForCall = () => order.tableFor(callMilliseconds);
  const openBudget = (perDay: number) => resources.use(new TokenBudget(tableForCall, order.scope, run.owner, perDay));
  try {
    const table = order.tableFor(order.milliseconds);
    const generation = { scope: order.scope, table, openBudget, signal };
    const generated = await generate(order, generation, mailbox);
    mailbox.complete();
    const reply = replyOf(order, run, mailbox.text, generated);
    await runsOf(order, commitMilliseconds).finish(run.owner, reply);
    logMade(order, generated);
    return { type: 'done', messageId: reply.id, text: reply.text };
  } catch (thrown) {
    const error = reasonFor(thrown, deadline, loss.signal);
    const now = await giveUp(order, run.owner, error);
    // The reply to the commit was lost, not the commit.
    if (now?.status === 'done' && now.owner === run.owner) {
      return { type: 'done', messageId: run.replyId, text: mailbox.text };
    }
    throw error;
  }
}

/** An aborted call tells less than what it was aborted for. */
function reasonFor(error: unknown, deadline: AbortSignal, loss: AbortSignal): unknown {
  if (loss.aborted) return new ReplyFailed('lost', 'Somebody else has taken the run over.');
  return deadline.aborted ? new ReplyFailed('deadline', 'The reply took too long.') : error;
}

function replyOf(order: ReplyOrder, run: AiRun, text: string, { model, end }: Generated): Message {
  const { agent, answered, conversation, channelId, senderId } = order;
  return {
    id: run.replyId,
    conversationId: conversation.id,
    senderType: 'agent',
    senderId: agent.id,
    channelId,
    text,
    attachments: [],
    createdAt: after(answered.message.createdAt),
    inReplyTo: answered.message.id,
    onBehalfOf: senderId,
    model,
    citations: [...end.citations],
  };
}

const lastTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Now, or later when clocks differ: a reply never stands before what it answers. */
const after = (time: string): string =>
  new Date(Math.min(lastTime, Math.max(Date.now(), Date.parse(time) + 1))).toISOString();

const newReplyId = (): string => `msg_${randomUUID().replaceAll('-', '')}`;

const runsOf = ({ tableFor, scope, conversation, agent, answered }: ReplyOrder, milliseconds = callMilliseconds) =>
  new AiRuns(tableFor(milliseconds), scope, {
    conversationId: conversation.id,
    agentId: agent.id,
    messageId: answered.message.id,
  });
