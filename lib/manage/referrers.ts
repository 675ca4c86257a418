import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import { FormResponses } from '#lib/table/forms/form-responses.ts';
import { keys } from '#lib/table/keys.ts';
import { Menu } from '#lib/table/menu/menu.ts';
import { recordOf } from '#lib/table/record-of.ts';
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

export const responsesOfForm = ({ table, principal }: ManageRequest, formId: string): Promise<string[]> =>
  firstOf(new FormResponses(table, principal).all(formId), ({ id }) => `form-responses/${id}`);

export const conversationsOf =
  (member: 'channelId' | 'customerId') =>
  ({ table, principal }: ManageRequest, id: string): Promise<string[]> => {
    const range = { pk: keys.records(principal.workspaceId, 'conversation') };
    return firstOf(table.query(range), (item) => {
      const conversation = recordOf<Conversation>(item);
      return conversation[member] === id ? `conversations/${conversation.id}` : undefined;
    });
  };

/** The first names, up to the maximum of an answer. */
async function firstOf<Item>(
  items: AsyncIterable<Item>,
  nameOf: (item: Item) => string | undefined,
): Promise<string[]> {
  const found: string[] = [];
  for await (const item of items) {
    const name = nameOf(item);
    if (name !== undefined) found.push(name);
    if (found.length === referrersMax) break;
  }
  return found;
}
