import type { ApiEvent } from '../request-state.ts';

/** Throws errors that do not depend on the body (lib/spec/decisions.md section 1). */
export type Precheck = (event: ApiEvent) => Promise<void>;

export const runPrecheck = (precheck: Precheck | undefined) => ({
  before: async ({ event }: { event: ApiEvent }) => precheck?.(event),
});
