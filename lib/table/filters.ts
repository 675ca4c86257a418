import type { Filter } from './range.ts';

/** Items whose text at a path contains another. */
export const containing =
  (path: string, text: string): Filter =>
  (placeOf) => ({ expression: `contains(${placeOf(path)}, :part)`, values: { ':part': text } });

/** The engine takes expressions of 300 operators. Without a filter, the caller gets more items than it needs. */
const filledPathsMax = 40;

/** The values of a field without a value, as they are stored. */
const empty = { ':null': null, ':text': '', ':list': [], ':map': {} };
const isEmpty = `IN (${Object.keys(empty).join(', ')})`;

/** Items in which one of the paths has a value. */
export const havingOneOf = (paths: readonly string[]): Filter | undefined =>
  paths.length > filledPathsMax
    ? undefined
    : (placeOf) => ({
        expression: paths
          .map(placeOf)
          .map((place) => `(attribute_exists(${place}) AND NOT ${place} ${isEmpty})`)
          .join(' OR '),
        values: empty,
      });
