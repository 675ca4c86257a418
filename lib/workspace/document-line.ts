import type { JsonObject } from '#lib/domain/json-object.ts';
import { ConversationKind } from '#lib/domain/messaging/conversation.ts';
import { isKind, type Kind } from '#lib/kinds/kinds.ts';

const conversationKinds: readonly string[] = ConversationKind.options;

/**
 * Splits a line of an `.ndjson` document into its kind and its record (lib/spec/workspace-document.md section 1). An
 * unknown kind is undefined. A line is `{ kind, ...record }`, so a conversation's line has the conversation's own
 * `kind`. That is unambiguous, because no record kind has the name of a conversation kind.
 */
export function recordOfLine(line: JsonObject): { readonly kind?: Kind; readonly record: unknown } {
  const { kind, ...record } = line;
  if (typeof kind === 'string' && conversationKinds.includes(kind)) return { kind: 'conversation', record: line };
  return isKind(kind) ? { kind, record } : { record };
}
