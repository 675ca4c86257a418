import type { ChangeOutcome, RecordChange } from '#lib/client/manage.ts';

/** The maximum number of changes in a request. */
const changesMax = 100;

/** The outcome of many changes. */
export interface BulkResult {
  readonly done: number;
  readonly failed: readonly { readonly id: string; readonly message: string }[];
}

/**
 * Sends changes, a hundred per request, and counts their outcomes.
 * @throws the error of the first failed request; earlier requests remain in effect
 */
export async function sendChanges(
  changes: readonly RecordChange[],
  send: (some: readonly RecordChange[]) => Promise<readonly ChangeOutcome[]>,
): Promise<BulkResult> {
  const failed: { id: string; message: string }[] = [];
  for (let start = 0; start < changes.length; start += changesMax) {
    const some = changes.slice(start, start + changesMax);
    for (const [index, { error }] of (await send(some)).entries()) {
      if (error) failed.push({ id: some[index]?.id ?? '', message: error.message });
    }
  }
  return { done: changes.length - failed.length, failed };
}
