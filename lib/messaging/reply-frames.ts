import { setTimeout as pause } from 'node:timers/promises';
import { nextDelta, type SentText } from './pace.ts';
import type { ReplyMailbox } from './reply-mailbox.ts';
import { eventFrame, pingFrame } from './sse.ts';

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
      const sendable = text.slice(0, pace.end);
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
