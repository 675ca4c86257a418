import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { readModelRecords } from '../cms/cms-schema.ts';
import { keys } from '../keys.ts';
import type { Item } from '../schema.ts';
import type { Table } from '../table.ts';

/** The maximum number of records in an answer (lib/spec/additions.md section 2). */
const referrersMax = 20;

/**
 * The records that refer to an image, anywhere in their content, e.g. `menu-products/prod_1`. There is no index from
 * images to records, because every write would pay for it. The removal of an image is rare, and reads the records
 * instead.
 * @throws Unavailable if the time does not suffice to read all of them
 */
export async function imageReferrers(
  table: Table,
  { workspaceId }: WorkspaceScope,
  imageId: string,
): Promise<readonly string[]> {
  const models = (await readModelRecords(table, workspaceId)).map((text) => (JSON.parse(text) as { id: string }).id);
  const found: string[] = [];
  const look = async (pk: string, isReferrer: (item: Item) => boolean, pathOf: (item: Item) => string) => {
    for await (const item of table.query({ pk })) {
      if (found.length >= referrersMax) return;
      if (isReferrer(item)) found.push(pathOf(item));
    }
  };
  // Ids are long and random, so any string that contains one refers to the image.
  const inText = ({ record }: Item) => String(record).includes(imageId);
  const inValues = ({ values, movedTo }: Item) => movedTo === undefined && JSON.stringify(values).includes(imageId);
  await Promise.all([
    look(keys.records(workspaceId, 'menuProduct'), inText, ({ sk }) => `menu-products/${sk}`),
    look(keys.records(workspaceId, 'menuCategory'), inText, ({ sk }) => `menu-categories/${sk}`),
    look(keys.records(workspaceId, 'form'), inText, ({ sk }) => `forms/${sk}`),
    ...models.map((modelId) =>
      look(keys.cmsEntries(workspaceId, modelId), inValues, ({ id }) => `cms-entries/${modelId}/${String(id)}`),
    ),
  ]);
  return found.slice(0, referrersMax).sort();
}
