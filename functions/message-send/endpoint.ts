import * as z from 'zod/mini';
import { MessageView } from '#lib/conversations/schemas.ts';
import { type Issue, isObject } from '#lib/domain/input.ts';
import { optionalId } from '#lib/domain/messaging/participants.ts';
import { rule } from '#lib/domain/schema-rules.ts';
import { isBlank } from '#lib/domain/text/blank.ts';
import { longerThan } from '#lib/domain/text/code-points.ts';
import { bodyLevelsMax, jsonIssues } from '#lib/domain/text/json-value.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { idempotencyKey } from '#lib/http/headers.ts';
import { forVisitors } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

const textCodePointsMax = 20_000;
const attachmentsMax = 10;

/** Blank text is treated as empty. */
const SendMessage = z
  .strictObject({
    text: z.optional(
      z.nullable(
        z.string().check(
          z.refine((text) => !longerThan(text, textCodePointsMax), {
            error: 'Must be at most 20,000 characters.',
            params: { code: 'max_length' },
          }),
        ),
      ),
    ),
    attachments: z.optional(
      z.nullable(z.array(z.string()).check(z.maxLength(attachmentsMax, 'Must be at most 10 files.'))),
    ),
    senderType: z.enum(['customer', 'member']),
    senderId: optionalId,
  })
  .check(
    rule((body) => jsonIssues(body, bodyLevelsMax)),
    rule(contentIssues),
  );
export type SendMessage = z.infer<typeof SendMessage>;

/** lib/spec/additions.md section 3 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/connect/conversations/{id}/messages',
  summary: 'Send a message to a conversation.',
  ...forVisitors,
  permissions: ['messaging:conversation:engage'],
  headers: z.object({ 'Idempotency-Key': idempotencyKey() }),
  body: SendMessage,
  response: MessageView,
  status: 201,
  // The first reference to a directly uploaded file stores its record.
  uses: ['table:read', 'table:transact', 'table:remove', 'table:uploads', 'files:read'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Messaging',
  text: [
    'Adds a message to the end of a conversation. Its `id` sorts after all ids that the service has generated in this conversation.',
    "`senderId` defaults to the conversation's customer, or to the member of the key; any other sender is 403. A conversation without a customer gets the stored customer with the id `senderId`.",
    "With a visitor's token, the sender is its customer. Files must have been uploaded with a token of the conversation.",
    "A customer's message reopens a resolved or snoozed conversation. A member's message changes neither status nor assignee: take the conversation over with PATCH first.",
  ].join('\n\n'),
  path: { id: 'The id of the conversation.' },
  headers: {
    'Idempotency-Key': 'A unique string for this message. A retry within 24 hours gets the first response.',
  },
  body: {
    description: 'The message.',
    properties: {
      text: { description: '1 to 20,000 characters. With attachments, it may be absent or blank.' },
      attachments: { description: 'The ids of at most 10 uploaded files of the workspace.' },
      senderType: { description: 'The kind of sender.' },
      senderId: { description: 'The id of the customer or the member.' },
    },
  },
  success: { description: 'The stored message, with its files.' },
});

function contentIssues(value: unknown): Issue[] {
  if (!isObject(value)) return [];
  const { text, attachments } = value;
  if (Array.isArray(attachments) && attachments.length > 0) return repeatedIds(attachments);
  if ((attachments ?? undefined) !== undefined && !Array.isArray(attachments)) return [];
  if ((text ?? undefined) === undefined) {
    return [{ path: 'text', code: 'required', message: 'Is required without attachments.' }];
  }
  if (typeof text !== 'string' || !isBlank(text)) return [];
  return [{ path: 'text', code: 'min_length', message: 'Must not be blank without attachments.' }];
}

const repeatedIds = (ids: readonly unknown[]): Issue[] =>
  ids.flatMap((id, index): Issue[] =>
    typeof id === 'string' && ids.indexOf(id) < index
      ? [{ path: `attachments.${index}`, code: 'duplicate', message: 'Must not appear twice in the array.' }]
      : [],
  );
