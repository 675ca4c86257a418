import type { Model } from '#lib/domain/cms/cms-model.ts';
import { ownValue } from '#lib/domain/input.ts';
import { needsOfEntry, type Referrer } from '#lib/domain/referrer.ts';
import { readModelRecords } from '../cms/cms-schema.ts';
import { containing } from '../filters.ts';
import { keys, type RecordKind } from '../keys.ts';
import type { Item, Range, Table, WorkspaceScope } from '../table.ts';

/** The maximum number of records in an answer (lib/spec/additions.md section 2). */
const referrersMax = 20;

/**
 * The records that refer to an image, anywhere in their content. There is no index from
 * images to records, because every write would pay for it. The removal of an image is rare, and searches the records
 * instead. The engine searches records that are stored as text. So it transfers only the referrers.
 * @throws Unavailable if the time does not suffice to read all of them
 */
export async function imageReferrers(
  table: Table,
  { workspaceId }: WorkspaceScope,
  imageId: string,
): Promise<readonly Referrer[]> {
  const models = (await readModelRecords(table, workspaceId)).map((text) => JSON.parse(text) as Model);
  const found: Referrer[] = [];
  const look = async (range: Range, referrerIn: (item: Item) => Referrer | undefined) => {
    for await (const item of table.query(range)) {
      if (found.length >= referrersMax) return;
      found.push(...[referrerIn(item) ?? []].flat());
    }
  };
  // Ids are long and random, so any string that contains one refers to the image.
  const lookInTexts = (kind: RecordKind & Referrer['kind']) =>
    look({ pk: keys.records(workspaceId, kind), only: ['sk'], where: containing('record', imageId) }, ({ sk }) => ({
      kind,
      id: sk,
    }));
  const refers = (value: unknown) => value !== undefined && JSON.stringify(value).includes(imageId);
  // A filter names paths, so it would miss values of removed fields and languages, which may be shown again.
  const inEntry = ({ id: modelId, fields }: Model, { id, values, published }: Item): Referrer | undefined => {
    if (!refers(values)) return undefined;
    const isShown = fields.some(
      ({ key, hidden }) => !hidden && refers(ownValue(values as Readonly<Record<string, unknown>>, key)),
    );
    const needs = needsOfEntry({ isDraft: published !== true, isHidden: !isShown });
    return { kind: 'cmsEntry', id: `${modelId}/${String(id)}`, needs };
  };
  await Promise.all([
    lookInTexts('menuProduct'),
    lookInTexts('menuCategory'),
    lookInTexts('form'),
    ...models.map((model) =>
      look({ pk: keys.cmsEntries(workspaceId, model.id), only: ['id', 'published', 'values'] }, (item) =>
        inEntry(model, item),
      ),
    ),
  ]);
  const pathOf = ({ kind, id }: Referrer) => `${kind}/${id}`;
  return found.slice(0, referrersMax).sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
}
