import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { readModelRecords } from '../cms/cms-schema.ts';
import { keys, type RecordKind } from '../keys.ts';
import type { Item } from '../schema.ts';
import type { Range, Table } from '../table.ts';

/** The maximum number of records in an answer (lib/spec/additions.md section 2). */
const referrersMax = 20;

/**
 * The records that refer to an image, anywhere in their content, e.g. `menu-products/prod_1`. There is no index from
 * images to records, because every write would pay for it. The removal of an image is rare, and searches the records
 * instead. The engine searches records that are stored as text. So it transfers only the referrers.
 * @throws Unavailable if the time does not suffice to read all of them
 */
export async function imageReferrers(
  table: Table,
  { workspaceId }: WorkspaceScope,
  imageId: string,
): Promise<readonly string[]> {
  const models = (await readModelRecords(table, workspaceId)).map((text) => (JSON.parse(text) as { id: string }).id);
  const found: string[] = [];
  const look = async (range: Range, isReferrer: (item: Item) => boolean, pathOf: (item: Item) => string) => {
    for await (const item of table.query(range)) {
      if (found.length >= referrersMax) return;
      if (isReferrer(item)) found.push(pathOf(item));
    }
  };
  // Ids are long and random, so any string that contains one refers to the image.
  const lookInTexts = (kind: RecordKind, name: string) =>
    look(
      { pk: keys.records(workspaceId, kind), only: ['sk'], where: { path: 'record', contains: imageId } },
      () => true,
      ({ sk }) => `${name}/${sk}`,
    );
  // A filter names paths, so it would miss values of removed fields and languages, which may be shown again.
  const inValues = ({ values, movedTo }: Item) =>
    movedTo === undefined && values !== undefined && JSON.stringify(values).includes(imageId);
  await Promise.all([
    lookInTexts('menuProduct', 'menu-products'),
    lookInTexts('menuCategory', 'menu-categories'),
    lookInTexts('form', 'forms'),
    ...models.map((modelId) =>
      look(
        { pk: keys.cmsEntries(workspaceId, modelId), only: ['id', 'movedTo', 'values'] },
        inValues,
        ({ id }) => `cms-entries/${modelId}/${String(id)}`,
      ),
    ),
  ]);
  return found.slice(0, referrersMax).sort();
}
