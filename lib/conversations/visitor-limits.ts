import type { Principal, Visitor } from '#lib/domain/access/principal.ts';
import { permissionDenied } from '#lib/http/errors.ts';
import type { ReplyRequest } from '#lib/messaging/reply-request.ts';
import { conversationNotFound } from './refusals.ts';

/** For a visitor, only the token's conversation exists. @throws 404 */
export function requireOwnConversation({ visitor }: Principal, conversationId: string): void {
  if (visitor && conversationId !== visitor.conversationId) throw conversationNotFound();
}

/** A visitor may only request replies of the token's agent in the token's conversation. @throws 404, 403 */
export function requireOwnReply(principal: Principal, request: ReplyRequest): void {
  requireOwnConversation(principal, request.conversationId);
  if (principal.visitor) requireOwnNames(principal.visitor, request);
}

function requireOwnNames({ agentId, channelId, customerId, host }: Visitor, request: ReplyRequest): void {
  if (agentId === null) throw permissionDenied('The channel of this token has no agent.');
  requireOwn('agentId', request.agentId, agentId);
  requireOwn('channelId', request.channelId, channelId);
  requireOwn('channelIdentifier', request.channelIdentifier, host);
  requireOwn('senderId', request.senderId, customerId);
  requireOwn('customerId', request.customerId, customerId);
  if (request.customer) throw permissionDenied("A visitor's token names its customer by id only.");
}

export function requireOwn(name: string, requested: string | null | undefined, own: string): void {
  if (requested === undefined || requested === null || requested === own) return;
  throw permissionDenied(`This visitor's token cannot be used for another ${name}.`);
}
