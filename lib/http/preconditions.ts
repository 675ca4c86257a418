import { HttpError } from './errors.ts';
import { tagPattern } from './headers.ts';

export const refusedPrecondition = (message: string): HttpError => new HttpError(412, 'precondition_failed', message);

/**
 * Requires that an If-Match header (one tag, several, or `*`) names the stored version. `W/` before a tag is ignored,
 * because proxies that compress answers add it (lib/spec/additions.md section 9, "If-Match").
 * @param etag the strong tag of the stored version; undefined if nothing is stored
 * @param noun names the record, in lower case
 * @throws 412
 */
export function requireMatch(ifMatch: string | undefined, etag: string | undefined, noun = 'entry'): void {
  if (ifMatch === undefined) return;
  const isAny = ifMatch.trim() === '*';
  const tags: readonly string[] = ifMatch.match(tagPattern) ?? [];
  if (!isAny && tags.length === 0)
    throw refusedPrecondition(
      'If-Match has no ETag in double quotes. Send the ETag exactly as you received it, with its quotes.',
    );
  if (etag === undefined) throw refusedPrecondition(`There is no ${noun} with this id, so If-Match cannot match.`);
  if (!isAny && !tags.includes(etag))
    throw refusedPrecondition(`The ${noun} has changed since you read it. Fetch it again and retry with the new ETag.`);
}
