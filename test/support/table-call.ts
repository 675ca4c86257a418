// biome-ignore lint/suspicious/noExplicitAny: the SDK decides the body of a call.
export type Input = any;

/** A received call of DynamoDB. */
export interface TableCall {
  readonly operation: string;
  readonly input: Input;
}
