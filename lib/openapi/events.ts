import * as z from 'zod/mini';
import type { ReplyEvent } from '#lib/messaging/reply-event.ts';
import type { Json } from './json-schema.ts';

/** The events of an AI reply (lib/spec/interface.md section 6); the compiler compares them with their type. */
const replyEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('delta'), delta: z.string(), text: z.string() }),
  z.strictObject({ type: z.literal('done'), messageId: z.string(), text: z.string() }),
  z.strictObject({ type: z.literal('error'), error: z.string() }),
]);

type Equal<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
const isComplete: Equal<z.infer<typeof replyEvent>, ReplyEvent> = true;

const eventTypes = ['delta', 'done', 'error'] as const;

const eventTexts: Readonly<Record<string, string>> = {
  delta: 'A part of the reply: `delta` is the new text, `text` the whole reply so far.',
  done: 'The reply is complete and stored as the message `messageId`. `text` is the whole reply.',
  error: 'The reply failed, and `error` is a sentence with the reason. No event follows.',
};

/** The JSON Schema of an event's data. */
export function replyEventSchema(): Json {
  const { oneOf } = z.toJSONSchema(replyEvent, { io: 'output' });
  if (!isComplete || !Array.isArray(oneOf)) throw new Error('The events of a reply are a choice of three.');
  return {
    description: 'The JSON object after `data:`. The last event is always `done` or `error`.',
    oneOf: oneOf.map((event, index) => ({ ...event, description: eventTexts[eventTypes[index] ?? ''] })),
  };
}
