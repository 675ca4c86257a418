import { Menu } from '#lib/table/menu/menu.ts';
import { type ReferredKind, referrerIds } from '#lib/table/references.ts';
import type { ManageRequest } from './managed-record.ts';

/** The maximum number of named records that prevent a removal. */
const referrersMax = 20;

export const productsOfCategory = ({ table, principal }: ManageRequest, categoryId: string): Promise<string[]> =>
  new Menu(table, principal).read(async ({ products }) =>
    products
      .filter((product) => product.categoryId === categoryId)
      .slice(0, referrersMax)
      .map(({ id }) => `menu-products/${id}`),
  );

/** The records that refer to a form, a channel or a customer, under the path of their kind. */
export const referrersOf =
  (kind: ReferredKind, path: string) =>
  async ({ table, principal }: ManageRequest, id: string): Promise<string[]> =>
    (await referrerIds(table, principal, { kind, id }, referrersMax)).map((referrerId) => `${path}/${referrerId}`);
