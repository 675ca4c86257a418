import { compareCodePoints } from '#lib/domain/text/code-points.ts';

/** A record in a list that is ordered by name. */
export interface NamedRecord<Stored> {
  /** The folded name. */
  readonly name: string;
  readonly id: string;
  readonly record: Stored;
}

/** The position of a record in the list. Cursors contain it. */
export type NamePosition = readonly [name: string, id: string];

interface NamePage<Stored> {
  readonly records: Stored[];
  /** The position of the last record, if more follow. */
  readonly next: NamePosition | undefined;
}

/** A page of records that are all in memory, by name, ties by id. @param after the position before the page */
export function pageInNameOrder<Stored>(
  all: readonly NamedRecord<Stored>[],
  limit: number,
  after: NamePosition | undefined,
): NamePage<Stored> {
  const following = all
    .filter((named) => after === undefined || compare(positionOf(named), after) > 0)
    .sort((a, b) => compare(positionOf(a), positionOf(b)));
  const page = following.slice(0, limit);
  const last = page.at(-1);
  return {
    records: page.map(({ record }) => record),
    next: last && following.length > limit ? positionOf(last) : undefined,
  };
}

const positionOf = ({ name, id }: NamedRecord<unknown>): NamePosition => [name, id];

const compare = ([nameA, idA]: NamePosition, [nameB, idB]: NamePosition): number =>
  compareCodePoints(nameA, nameB) || compareCodePoints(idA, idB);
