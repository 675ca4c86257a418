import type { Principal } from '#lib/domain/access/principal.ts';
import { rateLimited } from '#lib/http/errors.ts';
import { countSentBytes } from '#lib/table/access/hourly-limits.ts';
import type { Table } from '#lib/table/table.ts';

/**
 * Lets a caller send files of these sizes, of messages and public images together.
 * @throws 429 when it has sent too much, Unavailable
 */
export async function limitSentBytes(
  table: Table,
  { workspaceId, callerId, kind, visitor }: Pick<Principal, 'workspaceId' | 'callerId' | 'kind' | 'visitor'>,
  sizes: readonly number[],
): Promise<void> {
  const seconds = await countSentBytes(table, { workspaceId, callerId }, sizes, visitor !== undefined);
  if (seconds === undefined) return;
  throw rateLimited(seconds, kind, visitor ? 'sent too many files today' : 'announced too many files this hour');
}
