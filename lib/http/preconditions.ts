import { ifNoneMatchHolds, tagPattern } from './conditional.ts';
import { HttpError } from './errors.ts';

const refused = (message: string): HttpError => new HttpError(412, 'precondition_failed', message);

/** @param noun names the record, in lower case */
export const preconditionFailed = (noun: string): HttpError =>
  refused(`The ${noun} has changed since you read it. Fetch it again and retry with the new ETag.`);

/**
 * Requires that an If-Match header (one tag, several, or `*`) names the stored version. `W/` before a tag is ignored,
 * because proxies that compress answers add it (lib/spec/additions.md section 9, "If-Match").
 * @param etag the strong tag of the stored version; undefined if nothing is stored
 * @throws 412
 */
export function requireMatch(ifMatch: string | undefined, etag: string | undefined, noun = 'entry'): void {
  if (ifMatch === undefined) return;
  const isAny = ifMatch.trim() === '*';
  const tags: readonly string[] = ifMatch.match(tagPattern) ?? [];
  if (!isAny && tags.length === 0) throw refused(withoutQuotes);
  if (etag === undefined) throw refused(`There is no ${noun} with this id, so If-Match cannot match.`);
  if (!isAny && !tags.includes(etag)) throw preconditionFailed(noun);
}

const withoutQuotes =
  'If-Match has no ETag in double quotes. Send the ETag exactly as you received it, with its quotes.';

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
    throw refused(texts.stored);
  }
}
