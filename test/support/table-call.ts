// biome-ignore lint/suspicious/noExplicitAny: the SDK decides the body of a call.
export type Input = any;

/** Whether a call publishes the databases of an import. */
export const isSchemaUpdate = (operation: string, { ExpressionAttributeNames: names }: Input): boolean =>
  operation === 'UpdateItem' && names?.['#schema'] !== undefined;

/** A received call of DynamoDB. */
export interface TableCall {
  readonly operation: string;
  readonly input: Input;
}
