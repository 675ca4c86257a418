import { HttpError } from '#lib/http/errors.ts';
import type { StoredEntry } from '#lib/table/cms/stored-entry.ts';
import { type EntryQuery, type ExpandedEntries, expandAsDeepAsFits, type Reading } from './entry-query.ts';
import { maxDepthDefault } from './parameters.ts';

/** @throws 400 if the answer is too large at the requested depth, or even at depth 0 */
export async function expandEntries(
  request: Reading,
  entryQuery: EntryQuery,
  entries: readonly StoredEntry[],
): Promise<ExpandedEntries> {
  const { maxDepth } = request.query;
  const expanded = await expandAsDeepAsFits(request, entryQuery, entries, maxDepth ?? maxDepthDefault);
  if (!expanded) throw tooLarge('limit');
  if (maxDepth !== undefined && expanded.depth < maxDepth) throw tooLarge('maxDepth');
  return expanded;
}

function tooLarge(path: 'limit' | 'maxDepth'): HttpError {
  const message = `This answer would hold more than 50,000 related entries or 5 MB; lower ${path} or name fewer fields.`;
  return new HttpError(400, 'response_too_large', message, { errors: [{ path, code: 'too_large', message }] });
}
