import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import { needsOfEntry, type Referrer } from '#lib/domain/referrer.ts';
import type { ManagedKind } from '#lib/kinds/kinds.ts';
import { readEntryList } from '#lib/table/cms/entry-list.ts';
import { idOf, isPublished } from '#lib/table/cms/entry-row.ts';
import { repeatStaleRead } from '#lib/table/collection/head.ts';
import { readMenu } from '#lib/table/menu/menu-index.ts';
import { references } from '#lib/table/references.ts';
import { referrersOf } from '#lib/table/referrers.ts';
import { attachmentRules } from '#lib/table/writer/attachment-rules.ts';
import { inUse, namedRecordsMax } from './in-use.ts';
import type { EditRules, KindRules, ManageRequest } from './managed-record.ts';

const productsOfCategory = ({ table, principal }: ManageRequest, categoryId: string): Promise<Referrer[]> =>
  readMenu(table, principal, async ({ products }) =>
    products
      .filter((product) => product.categoryId === categoryId)
      .slice(0, namedRecordsMax)
      .map(({ id }) => ({ kind: 'menuProduct', id })),
  );

const referrersTo =
  (kind: 'form' | 'channel' | 'customer') =>
  async ({ table, principal }: ManageRequest, id: string): Promise<Referrer[]> => {
    const found = await referrersOf(table, principal, { kind, id }, namedRecordsMax);
    return found.map((referrerId) => ({ kind: references[kind].kind, id: referrerId }));
  };

/** The newest entries of a database. They prevent its removal. */
const entriesOfModel = async ({ table, principal }: ManageRequest, modelId: string): Promise<Referrer[]> => {
  const list = await repeatStaleRead(table, () => readEntryList(table, principal, modelId));
  const newest = await repeatStaleRead(table, () => list.rows(Math.max(0, list.total - namedRecordsMax)));
  return newest.toReversed().map((row) => ({
    kind: 'cmsEntry',
    id: `${modelId}/${idOf(row)}`,
    needs: needsOfEntry({ isDraft: !isPublished(row) }),
  }));
};

/**
 * The records that prevent a removal: at most `namedRecordsMax`. Only the head of a collection may be an earlier read of
 * the request.
 */
const referrers: Readonly<Partial<Record<ManagedKind, ReturnType<typeof referrersTo>>>> = {
  cmsModel: entriesOfModel,
  menuCategory: productsOfCategory,
  form: referrersTo('form'),
  channel: referrersTo('channel'),
  customer: referrersTo('customer'),
};

const refusalOf =
  (kind: ManagedKind, { managed: { noun } }: EditRules): EditRules['refuseRemoval'] =>
  async (request, id) => {
    const found = (await referrers[kind]?.(request, id)) ?? [];
    if (found.length > 0) throw inUse(noun, found, effectivePermissions(request.principal));
  };

/** The rules of a function that also removes records. */
export const withRemoval = (rules: KindRules): KindRules =>
  Object.fromEntries(
    (Object.entries(rules) as [ManagedKind, EditRules][]).map(([kind, own]) => [
      kind,
      { ...own, ...(kind === 'attachment' && { storage: attachmentRules }), refuseRemoval: refusalOf(kind, own) },
    ]),
  );
