import { createHash } from 'node:crypto';
import type { Principal } from '#lib/domain/access/principal.ts';
import { jsonHash } from '#lib/domain/text/json-hash.ts';
import { tagPattern } from './headers.ts';

/** Part of every ETag. Raise it when the form of answers changes, so that clients drop old copies. */
const formVersion = 2;

/**
 * The strong ETag of an answer. Equal ETags mean the same content for the same permissions.
 * @param content the content, or the versions of all its parts
 */
export function entityTagOf(
  { workspaceId, permissions }: Pick<Principal, 'workspaceId' | 'permissions'>,
  query: unknown,
  content: readonly string[],
): string {
  const view = jsonHash([formVersion, workspaceId, [...permissions].sort(), query]);
  const hash = createHash('sha256').update(view);
  for (const part of content) hash.update(`\n${part.length}\n`).update(part);
  return `"${hash.digest('base64url').slice(0, 27)}"`;
}

/** Whether an If-None-Match header (one tag, several, or `*`) holds for an answer (RFC 9110, 13.1.2). */
export const ifNoneMatchHolds = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.trim() === '*' || listsTag(ifNoneMatch, etag);

/**
 * Whether an If-None-Match header contains the ETag, weak or strong. `*` does not prove that the caller has the answer,
 * so it is checked after the answer is made.
 */
export const listsTag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ((ifNoneMatch ?? '').match(tagPattern) ?? []).some((tag) => tag === etag.replace(/^W\//, ''));

/**
 * The ETag of a 304, in the form in which the caller has it: that of a compressed answer is weak. A cache renews only
 * the copy with this form (RFC 9111, 4.3.4).
 */
export const heldTag = (ifNoneMatch: string | undefined, etag: string): string =>
  ifNoneMatch?.includes(`W/${etag}`) ? `W/${etag}` : etag;
