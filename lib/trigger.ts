import type { LambdaSettings, Use } from './http/endpoint.ts';

/** What a function that no caller asks for is started by; the event source, schedule and policy are made from it. */
export interface Trigger {
  /** One sentence for the console. */
  readonly summary: string;
  /** New items of the table whose partition key starts so are handed over, in batches, until each is done. */
  readonly newItems?: { readonly partitionKeyPrefix: string };
  /** How often it looks for what was left behind. */
  readonly everyMinutes?: number;
  readonly uses: readonly Use[];
  readonly lambda?: LambdaSettings;
}

/** The one declaration of such a function, beside its handler. */
export const defineTrigger = (trigger: Trigger): Trigger => trigger;
