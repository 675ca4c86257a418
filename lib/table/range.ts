export interface Range {
  readonly pk: string;
  /** Inclusive bounds of the sort key. */
  readonly from?: string;
  readonly to?: string;
  readonly descending?: boolean;
  /** The attributes to read; `values.name` is one member of a map. */
  readonly only?: readonly string[];
  /** The engine leaves out the other items. It reads them nevertheless, for as many read units. */
  readonly where?: Filter | undefined;
  /** The number of items per page. A caller that needs only a few uses small pages. */
  readonly perPage?: number;
  /** The maximum number of items. @default all */
  readonly atMost?: number;
}

/** A condition on items, of filters.ts. @param placeOf names a path in the expression */
export type Filter = (placeOf: (path: string) => string) => {
  readonly expression: string;
  readonly values: Readonly<Record<string, unknown>>;
};

export function rangeExpressions({ pk, from, to, only, where }: Range) {
  const aliases = new Map<string, string>();
  const aliasOf = (name: string): string => {
    const alias = aliases.get(name) ?? `#n${aliases.size}`;
    aliases.set(name, alias);
    return alias;
  };
  const placeOf = (path: string): string => path.split('.').map(aliasOf).join('.');
  const filter = where?.(placeOf);
  const above = from !== undefined && (to === undefined ? '>= :from' : 'BETWEEN :from AND :to');
  const bounds = above || (to !== undefined && '<= :to');
  return {
    KeyConditionExpression: `${aliasOf('pk')} = :pk${bounds ? ` AND ${aliasOf('sk')} ${bounds}` : ''}`,
    FilterExpression: filter?.expression,
    ProjectionExpression: only?.map(placeOf).join(', '),
    ExpressionAttributeNames: Object.fromEntries([...aliases].map(([name, alias]) => [alias, name])),
    ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to, ...filter?.values },
  };
}
