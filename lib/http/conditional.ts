import { createHash } from 'node:crypto';
import type { Principal } from '#lib/domain/access/principal.ts';
import { jsonHash } from '#lib/domain/text/json-hash.ts';
import { HttpError, preconditionFailed } from './errors.ts';

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
  ((ifNoneMatch ?? '').match(tagPattern) ?? []).some((tag) => tag === opaque(etag));

const tagPattern = /"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * Requires that an If-Match header (one tag, several, or `*`) names the stored version. `W/` before a tag is ignored,
 * because proxies that compress answers add it (lib/spec/additions.md section 9, "If-Match").
 * @param etag the strong tag of the stored version; undefined if nothing is stored
 * @throws 412
 */
export function requireMatch(ifMatch: string | undefined, etag: string | undefined, noun?: string): void {
  if (ifMatch === undefined) return;
  const tags: readonly string[] = ifMatch.match(tagPattern) ?? [];
  if (ifMatch.trim() === '*') {
    if (etag === undefined) throw preconditionFailed(noun);
  } else if (tags.length === 0) throw tagWithoutQuotes();
  else if (etag === undefined || !tags.includes(etag)) throw preconditionFailed(noun);
}

const tagWithoutQuotes = (): HttpError =>
  new HttpError(
    412,
    'precondition_failed',
    'If-Match has no ETag in double quotes. Send the ETag exactly as you received it, with its quotes.',
  );

interface Conditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/**
 * Requires the conditions of a write to a record that may be absent.
 * @param etag the tag of the stored record, without quotes
 * @param texts the noun of the record, and the message if `If-None-Match` finds it stored
 * @throws 412
 */
export function requireConditions(
  { ifMatch, ifNoneMatch }: Conditions,
  etag: string | undefined,
  texts: { readonly noun: string; readonly stored: string },
): void {
  const tag = etag === undefined ? undefined : `"${etag}"`;
  requireMatch(ifMatch, tag, texts.noun);
  if (tag !== undefined && ifNoneMatchHolds(ifNoneMatch, tag)) {
    throw new HttpError(412, 'precondition_failed', texts.stored);
  }
}

const opaque = (etag: string): string => etag.replace(/^W\//, '');
