import type { ApiEvent } from '../request-state.ts';

/** Refusals that do not depend on the body (lib/spec/decisions.md section 1). It throws the refusal. */
export type Precheck = (event: ApiEvent) => Promise<void>;

export const runPrecheck = (precheck: Precheck | undefined) => ({
  before: async ({ event }: { event: ApiEvent }) => precheck?.(event),
});
