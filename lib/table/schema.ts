/** The one table, as plain data: CDK, the local run and the tests create it from here. */
export const tableSchema = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Seconds since 1970; an item past it is treated as absent, since the engine may delete it days later. */
  timeToLive: 'ttl',
} as const;

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

export type Item = Key & Record<string, unknown>;
