import { noteUse } from '#lib/table/access/key-uses.ts';
import type { ApiEvent } from '../exchange.ts';
import { openedTable } from './open-table.ts';

/** Notes when an accepted key was used, beside the work of the request. */
export const noteKeyUse = () => ({
  before: ({ event: { exchange } }: { event: ApiEvent }) => {
    const { principal } = exchange;
    if (principal?.kind !== 'key' || principal.keyId === undefined) return;
    const { workspaceId, keyId } = principal;
    noteUse(openedTable(exchange), { workspaceId, keyId });
  },
});
