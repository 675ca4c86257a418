import { parseWith } from '#lib/domain/schema-issue.ts';
import type { Endpoint } from './endpoint.ts';
import type { ApiEvent } from './exchange.ts';
import { parseJsonBody } from './json-body.ts';

/** A guess is not worth reading a long body twice. */
const charactersMax = 8_192;

/** The body before its turn to be judged has come, for reads that start early; nothing if it would be refused. */
export function likelyBody(
  { body: schema }: Pick<Endpoint, 'body'>,
  { body = '', isBase64Encoded }: ApiEvent,
): unknown {
  if (!schema || body.length > charactersMax) return undefined;
  const parsed = parseJsonBody(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'));
  return 'json' in parsed ? parseWith(schema, parsed.json).value : undefined;
}
