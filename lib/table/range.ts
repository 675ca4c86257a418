import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';

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

type Expressions = Pick<
  QueryCommandInput,
  | 'KeyConditionExpression'
  | 'FilterExpression'
  | 'ProjectionExpression'
  | 'ExpressionAttributeNames'
  | 'ExpressionAttributeValues'
>;

/** The parameters of a query that depend on its range. */
export function rangeExpressions({ pk, from, to, only, where }: Range): Expressions {
  const names = new Map<string, string>();
  const nameOf = (name: string): string => {
    const alias = names.get(name) ?? `#p${names.size}`;
    names.set(name, alias);
    return alias;
  };
  const placeOf = (path: string): string => path.split('.').map(nameOf).join('.');
  const condition = [
    '#pk = :pk',
    from !== undefined && to !== undefined && '#sk BETWEEN :from AND :to',
    from !== undefined && to === undefined && '#sk >= :from',
    from === undefined && to !== undefined && '#sk <= :to',
  ];
  const bounded = from !== undefined || to !== undefined;
  const projection = only?.map(placeOf).join(', ');
  const filter = where?.(placeOf);
  return {
    KeyConditionExpression: condition.filter(Boolean).join(' AND '),
    ...(filter && { FilterExpression: filter.expression }),
    ...(projection && { ProjectionExpression: projection }),
    ExpressionAttributeNames: {
      '#pk': 'pk',
      ...(bounded && { '#sk': 'sk' }),
      ...Object.fromEntries([...names].map(([name, alias]) => [alias, name])),
    },
    ExpressionAttributeValues: {
      ':pk': pk,
      ...(from !== undefined && { ':from': from }),
      ...(to !== undefined && { ':to': to }),
      ...filter?.values,
    },
  };
}
