import { recordUse } from '#lib/table/access/key-uses.ts';
import type { ApiEvent } from '../request-state.ts';
import { openedTable } from './open-table.ts';

/** Records when an accepted key was used, in parallel with the request. */
export const recordKeyUse = () => ({
  before: ({ event: { state } }: { event: ApiEvent }) => {
    const { principal } = state;
    if (principal?.kind !== 'key' || principal.keyId === undefined) return;
    const { workspaceId, keyId } = principal;
    recordUse(openedTable(state), { workspaceId, keyId });
  },
});
