// biome-ignore lint/suspicious/noExplicitAny: the SDK decides the body of a call.
export type Input = any;

/** A call of DynamoDB as it arrived. */
export interface TableCall {
  readonly operation: string;
  readonly input: Input;
}
