import { parseWith } from '#lib/domain/schema-issue.ts';
import type { Endpoint } from './endpoint.ts';
import { parseJsonBody } from './json-body.ts';
import type { ApiEvent } from './request-state.ts';

/** Larger bodies are not parsed for a caller that may still be refused. */
const hintCharactersMax = 16_384;

/**
 * The body of a request before its key is read, if it is small and valid. It is only a hint for early reads; the body
 * is checked later (lib/spec/decisions.md section 1).
 */
export function bodyHint({ body }: Pick<Endpoint, 'body'>, event: ApiEvent): unknown {
  if (!body || !event.body || event.body.length > hintCharactersMax) return undefined;
  const parsed = parseJsonBody(Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8'));
  return 'json' in parsed ? parseWith(body, parsed.json).value : undefined;
}
