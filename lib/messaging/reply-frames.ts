import { setTimeout as pause } from 'node:timers/promises';
import { nextDelta, type Sent } from './pace.ts';
import type { ReplyMailbox } from './reply-mailbox.ts';
import { eventFrame, pingFrame } from './sse.ts';

const silenceMillisecondsMax = 10_000;

/** The frames of a reply as it gathers, the last of them its end. */
export async function* replyFrames(mailbox: ReplyMailbox): AsyncGenerator<string> {
  let sent: Sent = { length: 0, at: Number.NEGATIVE_INFINITY };
  let spokeAt = performance.now();
  for (;;) {
    const { text, isComplete, end, changed } = mailbox;
    const now = performance.now();
    const pace = nextDelta(text, sent, now, isComplete);
    if (end?.type === 'error') {
      yield eventFrame(end);
      return;
    }
    if ('end' in pace) {
      const so = text.slice(0, pace.end);
      yield eventFrame({ type: 'delta', delta: so.slice(sent.length), text: so });
      sent = { length: pace.end, at: now };
      spokeAt = now;
    } else if (end) {
      yield eventFrame(end);
      return;
    } else if (now - spokeAt >= silenceMillisecondsMax) {
      yield pingFrame;
      spokeAt = now;
    } else {
      await either(changed, Math.min(pace.wait, silenceMillisecondsMax - (now - spokeAt)));
    }
  }
}

async function either(changed: Promise<void>, milliseconds: number): Promise<void> {
  const over = new AbortController();
  await Promise.race([changed, pause(milliseconds, undefined, { signal: over.signal }).catch(() => undefined)]);
  over.abort();
}
