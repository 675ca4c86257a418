import { parseWith } from '#lib/domain/schema-issue.ts';
import type { Endpoint } from './endpoint.ts';
import { parseJsonBody } from './json-body.ts';
import type { ApiEvent } from './request-state.ts';

/** Parsing more would cost a caller that is refused in the end. */
const hintCharactersMax = 16_384;

/**
 * The body of a request before its key has been read, if it is small and right. It only says what is worth reading
 * early: the body is judged in its turn (lib/spec/decisions.md section 1).
 */
export function bodyHint({ body }: Pick<Endpoint, 'body'>, event: ApiEvent): unknown {
  if (!body || !event.body || event.body.length > hintCharactersMax) return undefined;
  const parsed = parseJsonBody(Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8'));
  return 'json' in parsed ? parseWith(body, parsed.json).value : undefined;
}
