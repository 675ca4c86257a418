import type { ReplyEvent } from './types.ts';

/** The stream ended before the reply was complete. */
export class ReplyBroken extends Error {
  override readonly name = 'ReplyBroken';
}

/**
 * Reads the events of a reply as they arrive. Leaving the loop closes the connection; the service still finishes the
 * reply, and the next call returns it.
 * @throws ReplyBroken if the stream ends without `done` or `error`
 */
export async function* replyEvents(response: Response): AsyncGenerator<ReplyEvent> {
  for await (const line of linesOf(response)) {
    if (!line.startsWith('data:')) continue;
    const event: ReplyEvent = JSON.parse(line.slice('data:'.length));
    yield event;
    if (event.type !== 'delta') return;
  }
  throw new ReplyBroken('The stream ended before the reply did; call again to get it.');
}

async function* linesOf({ body }: Response): AsyncGenerator<string> {
  if (!body) return;
  let rest = '';
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
