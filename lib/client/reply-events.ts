import type { ReplyEvent } from './types.ts';

/** The stream broke before the reply was complete; its cause is the error of the connection, if there was one. */
export class ReplyBroken extends Error {
  override readonly name = 'ReplyBroken';

  constructor(cause?: unknown) {
    super('The stream ended before the reply did; call again to get it.', { cause });
  }
}

/**
 * Reads the events of a reply as they arrive. Leaving the loop closes the connection; the service still finishes the
 * reply, and the next call returns it. An event counts when the blank line after it has arrived.
 * @throws ReplyBroken if the stream breaks before `done` or `error`, and nothing else
 */
export async function* replyEvents(response: Response): AsyncGenerator<ReplyEvent> {
  try {
    for await (const text of framesOf(response)) {
      const data = text.split('\n').filter((line) => line.startsWith('data:'));
      if (data.length === 0) continue;
      const event: ReplyEvent = JSON.parse(data.map((line) => line.slice('data:'.length)).join('\n'));
      yield event;
      if (event.type !== 'delta') return;
    }
  } catch (error) {
    throw new ReplyBroken(error);
  }
  throw new ReplyBroken();
}

/** What stands before each blank line. What follows the last one is unfinished. */
async function* framesOf({ body }: Response): AsyncGenerator<string> {
  if (!body) return;
  let rest = '';
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const frames = (rest + value.replaceAll('\r', '')).split('\n\n');
      rest = frames.pop() ?? '';
      yield* frames;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
