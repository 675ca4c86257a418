import * as z from 'zod/mini';
import { ConversationView } from '#lib/conversations/schemas.ts';
import { Assignee, ConversationStatus } from '#lib/domain/messaging/conversation.ts';
import { rule } from '#lib/domain/schema-rules.ts';
import { LanguageCode } from '#lib/domain/text/identifier.ts';
import { bodyLevelsMax, jsonIssues } from '#lib/domain/text/json-value.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { forConversations } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

const ConversationChange = z
  .strictObject({
    status: z.optional(ConversationStatus),
    language: z.optional(z.nullable(LanguageCode)),
    assignee: z.optional(z.nullable(Assignee)),
  })
  .check(rule((body) => jsonIssues(body, bodyLevelsMax)));
export type ConversationChange = z.infer<typeof ConversationChange>;

/** lib/spec/additions.md section 3 */
export const endpoint = defineEndpoint({
  methods: ['PATCH'],
  path: '/api/v1/connect/conversations/{id}',
  summary: 'Update the status, language or assignee of a conversation.',
  ...forConversations,
  permissions: ['messaging:conversation:engage'],
  headers: z.object({ 'If-Match': headerText() }),
  body: ConversationChange,
  response: ConversationView,
  uses: ['table:read', 'table:transact', 'table:remove'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Messaging',
  text: [
    'Changes only the properties in the body. `{}` changes nothing.',
    'A member takes a conversation over by becoming its assignee. From then on, no agent replies in it, and replies in progress are not stored. `null` gives it back.',
  ].join('\n\n'),
  path: { id: 'The id of the conversation.' },
  headers: {
    'If-Match': 'One or more ETags, or `*`. The conversation is changed only if one of them matches its version.',
  },
  body: {
    description: 'The properties to change.',
    properties: {
      status: { description: 'The new status.' },
      language: { description: 'One of the languages of the workspace, or `null`.' },
      assignee: { description: 'An enabled agent, an active member of the workspace, or `null`.' },
    },
  },
  success: {
    description: 'The changed conversation.',
    headers: { etag: { description: 'The new version of the conversation.' } },
  },
  refusals: ['validation_failed'],
  examples: [
    {
      name: 'resolve',
      summary: 'Resolve a conversation',
      key: 'desk',
      path: { id: 'conv_huda_order' },
      body: { status: 'resolved' },
    },
  ],
});
