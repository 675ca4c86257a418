import { setTimeout as pause } from 'node:timers/promises';
import { nextDelta, type SentText } from './pace.ts';
import { produceReply } from './produce-reply.ts';
import type { ReplyJob } from './reply-context.ts';
import { errorEvent, type ReplyEvent } from './reply-event.ts';
import { ReplyMailbox } from './reply-mailbox.ts';

/** Time that remains for storing the reply after the model is stopped. */
export const reserveMilliseconds = 5_000;
export const replyMillisecondsMax = 120_000;

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

export const silenceMillisecondsMax = 10_000;

/**
 * The frames of a reply while it is generated. The last one ends the stream.
 * @param silenceMilliseconds the time without a frame after which a ping is sent
 */
export async function* replyFrames(
  mailbox: ReplyMailbox,
  silenceMilliseconds = silenceMillisecondsMax,
): AsyncGenerator<string> {
  let sent: SentText = { length: 0, at: Number.NEGATIVE_INFINITY };
  let lastFrameAt = performance.now();
  for (;;) {
    const { text, isComplete, end, changed } = mailbox;
    const now = performance.now();
    const pace = nextDelta(text, sent, now, isComplete);
    if (end?.type === 'error') {
      yield eventFrame(end);
      return;
    }
    if ('end' in pace) {
      const sendable = text.slice(0, pace.end).toWellFormed();
      yield eventFrame({ type: 'delta', delta: sendable.slice(sent.length), text: sendable });
      sent = { length: pace.end, at: now };
      lastFrameAt = now;
    } else if (end) {
      yield eventFrame(end);
      return;
    } else if (now - lastFrameAt >= silenceMilliseconds) {
      yield pingFrame;
      lastFrameAt = now;
    } else {
      await changeOrTimeout(changed, Math.min(pace.wait, silenceMilliseconds - (now - lastFrameAt)));
    }
  }
}

async function changeOrTimeout(changed: Promise<void>, milliseconds: number): Promise<void> {
  const over = new AbortController();
  await Promise.race([changed, pause(milliseconds, undefined, { signal: over.signal }).catch(() => undefined)]);
  over.abort();
}

/** NEL, LS and PS are legal in SSE data, but some line readers split on them (lib/spec/decisions.md section 7). */
const unicodeLineEnds = /[\u0085\u2028\u2029]/g;

/** An event in wire format: one data line and a blank line. */
export const eventFrame = (event: ReplyEvent): string =>
  `data: ${JSON.stringify(event).replaceAll(unicodeLineEnds, escaped)}\n\n`;

/** A comment that keeps the connection alive. Clients ignore it. */
export const pingFrame = ': ping\n\n';

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
