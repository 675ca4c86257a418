import * as z from 'zod/mini';
import { compareCodePoints, cutToBytes } from '#lib/domain/text/code-points.ts';
import { foldText } from '#lib/domain/text/folded-text.ts';
import { RecordId } from '#lib/domain/text/identifier.ts';
import { type PageRequest, PositionText, pageOf } from '#lib/http/page.ts';

/** A record in a list that is ordered by name. */
export interface NamedRecord<Stored> {
  readonly name: string;
  readonly id: string;
  readonly record: Stored;
}

type NamePosition = [name: string, id: string];

interface Row<Stored> {
  readonly record: Stored;
  readonly at: NamePosition;
}

/** A cursor has a maximum length, so longer names are compared up to here. */
const namedBytesMax = 700;

/** A page of records that are all in memory, by their folded names, ties by id. @throws 400 for a foreign cursor */
export async function pageInNameOrder<Stored>(request: PageRequest, all: readonly NamedRecord<Stored>[]) {
  const rows = all.map(({ name, id, record }): Row<Stored> => ({ record, at: positionOf(name, id) }));
  const page = await pageOf<Row<Stored>, NamePosition>(request, {
    order: { position: z.tuple([PositionText, RecordId]), of: ({ at }) => at },
    after: (position) =>
      rows.filter(({ at }) => !position || compare(at, position) > 0).sort((a, b) => compare(a.at, b.at)),
  });
  return { records: page.rows.map(({ record }) => record), next: page.next };
}

const positionOf = (name: string, id: string): NamePosition => [cutToBytes(foldText(name).trim(), namedBytesMax), id];

const compare = ([nameA, idA]: NamePosition, [nameB, idB]: NamePosition): number =>
  compareCodePoints(nameA, nameB) || compareCodePoints(idA, idB);
