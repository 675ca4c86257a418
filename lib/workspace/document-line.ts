import { ConversationKind } from '#lib/domain/conversation.ts';
import { isKind, type Kind } from './document-kinds.ts';
import type { JsonObject } from './json-object.ts';

const conversationKinds: readonly string[] = ConversationKind.options;

/**
 * What kind a line of an `.ndjson` document names, and the record without that
 * (lib/spec/workspace-document.md section 1); a line of no known kind has none. A line is `{ kind, ...record }`, so of
 * a conversation it has the record's own `kind`: no kind of record has the name of a kind of conversation.
 */
export function recordOfLine(line: JsonObject): { readonly kind?: Kind; readonly record: unknown } {
  const { kind, ...record } = line;
  if (typeof kind === 'string' && conversationKinds.includes(kind)) return { kind: 'conversation', record: line };
  return isKind(kind) ? { kind, record } : { record };
}
