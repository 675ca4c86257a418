import type { ApiEvent } from '../exchange.ts';

/** What an endpoint refuses whatever the body says (lib/spec/decisions.md section 1). It throws the refusal. */
export type Precheck = (event: ApiEvent) => Promise<void>;

export const runPrecheck = (precheck: Precheck | undefined) => ({
  before: async ({ event }: { event: ApiEvent }) => precheck?.(event),
});
