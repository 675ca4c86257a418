import { createHash } from 'node:crypto';
import type { Principal } from '#lib/domain/access/principal.ts';
import { jsonHash } from '#lib/domain/text/json-hash.ts';

/** Part of every tag: to be raised when the same data is answered in another form, so that no old copy is kept. */
const formVersion = 2;

/**
 * The strong tag of an answer: the same only for the same view of the same content.
 * @param content what the answer shows, or the versions of all that it is made of
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
 * Whether an If-None-Match header names the tag, weak or strong. A caller that has the tag has had the answer; `*` says
 * nothing of the kind, so it counts only when the answer is there.
 */
export const listsTag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  [...(ifNoneMatch ?? '').matchAll(/"[\x21\x23-\x7e\x80-\xff]*"/g)].some(([tag]) => tag === opaque(etag));

/** Whether an If-Match header (one tag, several, or `*`) names the strong tag of what is stored; weak tags never do. */
export function ifMatchHolds(ifMatch: string, etag: string): boolean {
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return tags.includes('*') || tags.includes(etag);
}

const opaque = (etag: string): string => etag.replace(/^W\//, '');
