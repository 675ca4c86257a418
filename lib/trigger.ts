import type { LambdaSettings, Use } from './http/declaration.ts';

/** Declares what starts a background function. Its event source, schedule and policy are made from this. */
export interface Trigger {
  /** One sentence for the console. */
  readonly summary: string;
  /** New items whose partition key has one of these prefixes start it at once. */
  readonly newItems?: { readonly partitionKeyPrefixes: readonly string[] };
  /** Interval of its schedule, which does all that is left, whatever started it before. */
  readonly everyMinutes: number;
  readonly uses: readonly Use[];
  readonly lambda?: LambdaSettings;
}

/** Declares a background function, beside its handler. */
export const defineTrigger = (trigger: Trigger): Trigger => trigger;
