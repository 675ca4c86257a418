import type { Fault } from '../errors.ts';
import type { ApiEvent } from '../exchange.ts';

/** What has to hold before the body is looked at; the faults it finds join the others of the request. */
export type Admission = (event: ApiEvent) => Promise<readonly Fault[]>;

/**
 * The place for what an endpoint refuses whatever the body says (lib/spec/decisions.md section 1, the exception of
 * submit).
 */
export const requireAdmission = (admission?: Admission) => ({
  before: async ({ event }: { event: ApiEvent }) => {
    if (admission) event.exchange.faults.push(...(await admission(event)));
  },
});
