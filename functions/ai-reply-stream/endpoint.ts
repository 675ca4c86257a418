import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { ReplyRequest } from '#lib/messaging/reply-request.ts';

/** lib/spec/interface.md section 4.7; the events are those of section 6. */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/connect/ai-stream',
  summary: 'Stream the reply of an AI agent to a message of a conversation.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session', 'visitor'],
  permissions: ['messaging:conversation:engage'],
  body: ReplyRequest,
  bodyBytesMax: 65_536,
  response: z.string(),
  answers: 'streamed',
  uses: ['table:read', 'table:update', 'table:transact', 'table:remove', 'model:invoke'],
  lambda: { timeoutSeconds: 150 },
});
