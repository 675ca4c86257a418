import { produceReply } from './produce-reply.ts';
import { errorEvent } from './reply-event.ts';
import { replyFrames } from './reply-frames.ts';
import { ReplyMailbox } from './reply-mailbox.ts';
import type { ReplyOrder } from './reply-order.ts';

/** Of a stream of events that nothing on its way may keep, change or gather. */
export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** The frames of a reply; they do not end before the reply has, also when their reader leaves. */
export async function* streamReply(order: ReplyOrder): AsyncGenerator<string> {
  const mailbox = new ReplyMailbox();
  const made = produceReply(order, mailbox);
  try {
    yield* replyFrames(mailbox);
  } finally {
    await made;
  }
}

/** A stream that only says what is missing. */
export function streamRefusal(sentence: string): AsyncGenerator<string> {
  const mailbox = new ReplyMailbox();
  mailbox.close(errorEvent(sentence));
  return replyFrames(mailbox);
}
