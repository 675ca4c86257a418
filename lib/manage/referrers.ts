import type { Referrer } from '#lib/domain/referrer.ts';
import { Menu } from '#lib/table/menu/menu.ts';
import { type ReferredKind, references, referrerIds } from '#lib/table/references.ts';
import type { ManageRequest } from './managed-record.ts';
import { namedRecordsMax } from './refusals.ts';

export const productsOfCategory = ({ table, principal }: ManageRequest, categoryId: string): Promise<Referrer[]> =>
  new Menu(table, principal).read(async ({ products }) =>
    products
      .filter((product) => product.categoryId === categoryId)
      .slice(0, namedRecordsMax)
      .map(({ id }) => ({ kind: 'menuProduct', id })),
  );

/** The records that refer to a form, a channel or a customer. */
export const referrersOf =
  (parent: ReferredKind) =>
  async ({ table, principal }: ManageRequest, id: string): Promise<Referrer[]> => {
    const ids = await referrerIds(table, principal, { kind: parent, id }, namedRecordsMax);
    return ids.map((referrerId) => ({ kind: references[parent].kind, id: referrerId }));
  };
