import { requireOwnReply } from '#lib/conversations/visitor-limits.ts';
import { type StreamReply, type StreamRequestOf, streamApi } from '#lib/http/stream-api.ts';
import { attachParticipants } from '#lib/messaging/attach-participants.ts';
import { conversationNotFound, readReplyContext, warmReplyContext } from '#lib/messaging/reply-context.ts';
import { replyMillisecondsMax, reserveMilliseconds } from '#lib/messaging/reply-time.ts';
import { streamHeaders, streamRefusal, streamReply } from '#lib/messaging/stream-reply.ts';
import { endpoint } from './endpoint.ts';

export const handler = streamApi(
  endpoint,
  reply,
  async ({ table, principal, hint }) => hint && warmReplyContext(table, principal, hint),
);

async function reply(request: StreamRequestOf<typeof endpoint>): Promise<StreamReply> {
  const { table, principal: scope, body, requestId, trace, counters, tableFor, remainingMilliseconds } = request;
  requireOwnReply(scope, body);
  const found = await readReplyContext(table, scope, body);
  if (typeof found === 'string') return { headers: streamHeaders, body: streamRefusal(found) };
  const attached = await attachParticipants(table, scope, found, body);
  if (attached === 'other_customer') return { headers: streamHeaders, body: streamRefusal(conversationNotFound) };
  const milliseconds = Math.max(0, Math.min(replyMillisecondsMax, remainingMilliseconds() - reserveMilliseconds));
  const order = { ...found, ...attached, scope, requestId, trace, counters, tableFor, milliseconds };
  Object.assign(request.logDetails, { conversationId: found.conversation.id, agentId: found.agent.id });
  return { headers: streamHeaders, body: streamReply(order) };
}
