import { produceReply } from './produce-reply.ts';
import { errorEvent } from './reply-event.ts';
import { replyFrames } from './reply-frames.ts';
import type { ReplyJob } from './reply-job.ts';
import { ReplyMailbox } from './reply-mailbox.ts';

/** Headers of an event stream. Proxies must not cache, transform or buffer it. */
export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** The frames of a reply. The generator returns only after the reply has ended, even if the client disconnects. */
export async function* streamReply(job: ReplyJob): AsyncGenerator<string> {
  const mailbox = new ReplyMailbox();
  const production = produceReply(job, mailbox);
  try {
    yield* replyFrames(mailbox);
  } finally {
    await production;
  }
}

/** A stream of one error event. */
export function streamRefusal(sentence: string): AsyncGenerator<string> {
  const mailbox = new ReplyMailbox();
  mailbox.close(errorEvent(sentence));
  return replyFrames(mailbox);
}
