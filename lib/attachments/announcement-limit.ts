import type { Principal } from '#lib/domain/access/principal.ts';
import { rateLimited } from '#lib/http/errors.ts';
import { countAnnounced } from '#lib/table/access/hourly-limits.ts';
import type { Table } from '#lib/table/table.ts';

/**
 * Lets a caller announce files of these sizes, of messages and public images together.
 * @throws 429 when it has announced too much this hour, Unavailable
 */
export async function limitAnnouncedBytes(
  table: Table,
  { workspaceId, callerId, kind }: Pick<Principal, 'workspaceId' | 'callerId' | 'kind'>,
  sizes: readonly number[],
): Promise<void> {
  const seconds = await countAnnounced(table, { workspaceId, callerId }, sizes);
  if (seconds !== undefined) throw rateLimited(seconds, kind, 'announced too many files this hour');
}
