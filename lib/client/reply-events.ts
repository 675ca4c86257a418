import { eventData } from './event-data.ts';
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
 * reply, and the next call returns it.
 * @throws ReplyBroken if the stream breaks before `done` or `error`, and nothing else
 */
export async function* replyEvents(response: Response): AsyncGenerator<ReplyEvent> {
  try {
    for await (const data of eventData(response)) {
      const event: ReplyEvent = JSON.parse(data);
      yield event;
      if (event.type !== 'delta') return;
    }
  } catch (error) {
    throw new ReplyBroken(error);
  }
  throw new ReplyBroken();
}
