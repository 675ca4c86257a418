import * as z from 'zod/mini';
import { type Issue, isObject } from '#lib/domain/input.ts';
import { CustomerBody, WebsiteHost } from '#lib/domain/messaging/participants.ts';
import { rule } from '#lib/domain/schema-rules.ts';
import { LanguageCode } from '#lib/domain/text/identifier.ts';
import { bodyLevelsMax, jsonIssues } from '#lib/domain/text/json-value.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** Null is treated as absent. */
const absentOrNull = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.optional(
    z.pipe(
      z.nullable(schema),
      z.transform((value) => value ?? undefined),
    ),
  );

/** The body of POST visitor-sessions: the website and its visitor, or a token to renew (lib/spec/additions.md section 4). */
const OpenVisitorSession = z
  .strictObject({
    channelIdentifier: absentOrNull(WebsiteHost),
    customer: absentOrNull(CustomerBody),
    language: absentOrNull(LanguageCode),
    renew: absentOrNull(z.string()),
  })
  .check(
    rule((body) => jsonIssues(body, bodyLevelsMax)),
    rule(sessionIssues),
  );
export type OpenVisitorSession = z.infer<typeof OpenVisitorSession>;

/** The answer of POST visitor-sessions. */
const VisitorSession = z.strictObject({
  token: z.string(),
  expiresAt: z.string(),
  conversationId: z.string(),
  customerId: z.string(),
  agentId: z.nullable(z.string()),
});

/** lib/spec/additions.md section 4 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/connect/visitor-sessions',
  summary: 'Open or renew the session of a website visitor.',
  keyIn: ['bearer', 'x-api-key'],
  permissions: ['messaging:conversation:engage'],
  body: OpenVisitorSession,
  response: VisitorSession,
  status: 201,
  uses: ['table:read', 'table:transact', 'table:remove', 'table:tokens'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Messaging',
  text: [
    "Creates a token for a visitor of a website. The website's server sends the request and passes the response to the browser. The token gives access to one conversation for an hour: its messages, read marks and files, and the replies of the channel's agent. The browser sends it as `Authorization: Bearer <token>`, only from pages of the website.",
    'Channel, customer and conversation are created if they do not exist. A customer is found only by `externalId`: take it from your own sign-in, never from the page. Without it, a new anonymous customer is created.',
    '`{ "renew": token }` alone continues a conversation. It needs the API key that made the token, and works until 30 days after the end of the token. The response has a new token for the same conversation. Any other token is 404.',
    'A token ends with its key. Two equal requests make two tokens: `Idempotency-Key` is ignored.',
  ].join('\n\n'),
  body: {
    description: 'The website and its visitor, or a token to renew. `null` counts as absent.',
    properties: {
      channelIdentifier: { description: 'The host name of the website. Required without `renew`.' },
      customer: { description: "The website's data about the visitor." },
      language: { description: 'One of the languages of the workspace. Ignored for an existing conversation.' },
      renew: { description: 'A token that this key has made.' },
    },
  },
  success: {
    description: 'The session.',
    headers: { 'cache-control': { description: 'Always `no-store`.' } },
  },
  refusals: ['validation_failed', 'not_found'],
});

/** A renewal names the token alone. */
function sessionIssues(body: unknown): Issue[] {
  if (!isObject(body)) return [];
  const { renew, ...others } = body;
  const isAbsent = (name: string) => (others[name] ?? undefined) === undefined;
  if ((renew ?? undefined) === undefined) {
    const missing: Issue = { path: 'channelIdentifier', code: 'required', message: 'Is required without renew.' };
    return isAbsent('channelIdentifier') ? [missing] : [];
  }
  return ['channelIdentifier', 'customer', 'language']
    .filter((name) => !isAbsent(name))
    .map((path) => ({ path, code: 'unknown_field', message: 'Cannot be combined with renew.' }));
}
