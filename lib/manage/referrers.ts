import { Menu } from '#lib/table/menu/menu.ts';
import { type ReferredKind, referrerIds } from '#lib/table/references.ts';
import type { ManageRequest } from './managed-record.ts';
import { namedRecordsMax } from './refusals.ts';

export const productsOfCategory = ({ table, principal }: ManageRequest, categoryId: string): Promise<string[]> =>
  new Menu(table, principal).read(async ({ products }) =>
    products
      .filter((product) => product.categoryId === categoryId)
      .slice(0, namedRecordsMax)
      .map(({ id }) => `menu-products/${id}`),
  );

/** The records that refer to a form, a channel or a customer, under the path of their kind. */
export const referrersOf =
  (kind: ReferredKind, path: string) =>
  async ({ table, principal }: ManageRequest, id: string): Promise<string[]> =>
    (await referrerIds(table, principal, { kind, id }, namedRecordsMax)).map((referrerId) => `${path}/${referrerId}`);
