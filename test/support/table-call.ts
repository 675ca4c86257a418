// biome-ignore lint/suspicious/noExplicitAny: the body of a call is whatever the SDK makes of it.
export type Input = any;

/** A call of DynamoDB as it arrived. */
export interface TableCall {
  readonly operation: string;
  readonly input: Input;
}
