import * as z from 'zod/mini';
import { MessageView } from '#lib/conversations/schemas.ts';
import { type Issue, isObject } from '#lib/domain/input.ts';
import { Assignee, ConversationStatus } from '#lib/domain/messaging/conversation.ts';
import { rule } from '#lib/domain/schema-rules.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { forVisitors } from '#lib/http/presets.ts';
import { wholeNumber } from '#lib/http/query-parameters.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** A page of messages, oldest first, with the state of their conversation. */
const MessagePage = z.object({
  data: z.array(MessageView),
  hasMore: z.boolean(),
  status: ConversationStatus,
  assigneeType: z.nullable(Assignee.shape.type),
});

const messageParameters = z
  .object({
    after: z.optional(z.string()),
    before: z.optional(z.string()),
    limit: z._default(z.optional(wholeNumber({ min: 1, max: 100 })), 20),
  })
  .check(rule(bothDirections));

/** lib/spec/additions.md section 3 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/connect/conversations/{id}/messages',
  summary: 'List the messages of a conversation.',
  ...forVisitors,
  permissions: ['messaging:conversation:read'],
  query: messageParameters,
  headers: z.object({ 'If-None-Match': headerText() }),
  response: MessagePage,
  uses: ['table:read'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Messaging',
  text: [
    'Lists messages in order of acceptance, oldest first: the newest page, or the messages after `after` or before `before`. No page skips or repeats a message, even if new messages are written in between.',
    'To poll, send `after` with the id of your newest message, and the `ETag` of the previous response as `If-None-Match`. If nothing has changed, the response is 304, at the lowest cost. `status` and `assigneeType` are those of the conversation; their changes also change the `ETag`.',
    "With a visitor's token, messages lack `channelId`, `onBehalfOf`, `model` and `citations`.",
    '`attachments` does not contain deleted files; a deletion changes the `ETag`, too. A page of very long messages may be shorter than `limit`.',
  ].join('\n\n'),
  path: { id: 'The id of the conversation.' },
  query: {
    after: 'The id of a message: the oldest messages after it.',
    before: 'The id of a message: the newest messages before it. Not together with `after`.',
  },
  success: { description: 'A page of messages. `hasMore` means newer messages with `after`, otherwise older ones.' },
  examples: [
    {
      name: 'newest',
      summary: 'The newest two messages',
      key: 'desk',
      path: { id: 'conv_nakheel' },
      query: { limit: '2' },
    },
  ],
});

function bothDirections(value: unknown): Issue[] {
  if (!isObject(value) || value['after'] === undefined || value['before'] === undefined) return [];
  return [{ path: 'before', code: 'not_allowed', message: 'Cannot be combined with after.' }];
}
