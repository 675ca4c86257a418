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
  readonly where?: Filter;
  /** The number of items per page. A caller that needs only a few uses small pages. */
  readonly perPage?: number;
  /** The maximum number of items. @default all */
  readonly atMost?: number;
}

/** Items whose text `path` contains `text`, or items in which one of the paths `filled` has a value. */
export type Filter = { readonly path: string; readonly contains: string } | { readonly filled: readonly string[] };

/** The engine takes expressions of 300 operators. Without a filter, the caller gets more items than it needs. */
const filledPathsMax = 40;

/** The values of a field without a value, as they are stored. */
const empty = { ':null': null, ':text': '', ':list': [], ':map': {} };

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
  const filter = where && filterOf(where, placeOf);
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

function filterOf(where: Filter, placeOf: (path: string) => string) {
  if ('contains' in where) {
    return { expression: `contains(${placeOf(where.path)}, :part)`, values: { ':part': where.contains } };
  }
  if (where.filled.length > filledPathsMax) return undefined;
  const isEmpty = `IN (${Object.keys(empty).join(', ')})`;
  const filled = where.filled.map(placeOf).map((place) => `(attribute_exists(${place}) AND NOT ${place} ${isEmpty})`);
  return { expression: filled.join(' OR '), values: empty };
}
