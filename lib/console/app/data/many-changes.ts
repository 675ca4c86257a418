import type { ChangeOutcome, RecordChange } from '#lib/client/manage.ts';

/** The maximum number of changes in a request. */
export const changesMax = 100;

/** The outcome of many changes. */
export interface BulkResult {
  /** With the ETags that the changes have left; a deletion has none. */
  readonly done: readonly { readonly id: string; readonly etag?: string }[];
  readonly failed: readonly { readonly id: string; readonly message: string }[];
}

/**
 * Sends changes, a hundred per request, and collects their outcomes.
 * @throws the error of the first failed request; earlier requests remain in effect
 */
export async function sendChanges(
  changes: readonly RecordChange[],
  send: (some: readonly RecordChange[]) => Promise<readonly ChangeOutcome[]>,
): Promise<BulkResult> {
  const failed: { id: string; message: string }[] = [];
  const done: { id: string; etag?: string }[] = [];
  for (let start = 0; start < changes.length; start += changesMax) {
    const some = changes.slice(start, start + changesMax);
    for (const [index, { error, etag }] of (await send(some)).entries()) {
      const id = some[index]?.id ?? '';
      if (error) failed.push({ id, message: error.message });
      else done.push({ id, ...(etag !== undefined && { etag }) });
    }
  }
  return { done, failed };
}
