import * as z from 'zod/mini';
import type { ReplyEvent } from '#lib/messaging/reply-event.ts';
import type { Json } from './json-schema.ts';

/** The events of an AI reply (lib/spec/interface.md section 6); the compiler compares them with their type. */
const replyEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('delta'), delta: z.string(), text: z.string() }),
  z.strictObject({ type: z.literal('done'), messageId: z.string(), text: z.string() }),
  z.strictObject({ type: z.literal('error'), error: z.string() }),
]);

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
const isComplete: Same<z.infer<typeof replyEvent>, ReplyEvent> = true;

const eventTypes = ['delta', 'done', 'error'] as const;

const eventTexts: Readonly<Record<string, string>> = {
  delta: 'A piece of the reply: `delta` is what is new, `text` the reply so far.',
  done: 'The reply is finished and stored as the message `messageId`; `text` is all of it.',
  error: 'The reply could not be made; `error` says why, in a sentence. Nothing follows.',
};

/** The JSON Schema of an event's data. */
export function replyEventSchema(): Json {
  const { oneOf } = z.toJSONSchema(replyEvent, { io: 'output' });
  if (!isComplete || !Array.isArray(oneOf)) throw new Error('The events of a reply are a choice of three.');
  return {
    description: 'What stands behind `data:` of an event. Exactly one `done` or `error` comes, and it comes last.',
    oneOf: oneOf.map((event, index) => ({ ...event, description: eventTexts[eventTypes[index] ?? ''] })),
  };
}
