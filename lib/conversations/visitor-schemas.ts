import * as z from 'zod/mini';
import type { Issue } from '#lib/domain/issue.ts';
import { isObject } from '#lib/domain/json-object.ts';
import { CustomerBody, WebsiteHost } from '#lib/domain/messaging/participants.ts';
import { rule } from '#lib/domain/schema-issue.ts';
import { LanguageCode } from '#lib/domain/text/identifier.ts';
import { bodyLevelsMax, jsonIssues } from '#lib/domain/text/json-value.ts';
import { absentOrNull, membersOf } from './schemas.ts';

/** The body of POST visitor-sessions: the website and its visitor, or a token to renew (lib/spec/additions.md section 4). */
export const OpenVisitorSession = z
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
export const VisitorSession = z.strictObject({
  token: z.string(),
  expiresAt: z.string(),
  conversationId: z.string(),
  customerId: z.string(),
  agentId: z.nullable(z.string()),
});
export type VisitorSession = z.infer<typeof VisitorSession>;

/** A renewal names the token alone. */
function sessionIssues(body: unknown): Issue[] {
  const { renew, ...others } = membersOf(body);
  if (!isObject(body)) return [];
  const isAbsent = (name: string) => (others[name] ?? undefined) === undefined;
  if ((renew ?? undefined) === undefined) {
    const missing: Issue = { path: 'channelIdentifier', code: 'required', message: 'Is required without renew.' };
    return isAbsent('channelIdentifier') ? [missing] : [];
  }
  return ['channelIdentifier', 'customer', 'language']
    .filter((name) => !isAbsent(name))
    .map((path) => ({ path, code: 'unknown_field', message: 'Cannot be combined with renew.' }));
}
