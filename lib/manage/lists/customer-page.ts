import * as z from 'zod/mini';
import { pageOf } from '#lib/http/page.ts';
import { customersByName, type ListedCustomer } from '#lib/table/messaging/customers.ts';
import { isListingKey } from '#lib/table/record-names.ts';
import type { ReadPage } from './list-query.ts';
import { pageByName } from './page-by-name.ts';

const searchCustomers = pageByName('customer');

/** Customers by name. A page is a range of pointers and its records; only a search reads all customers. */
export const customerPage: ReadPage = async (request, query) => {
  if (query.words.length > 0) return searchCustomers(request, query);
  const { rows, next } = await pageOf(query, {
    order: {
      position: z.string().check(z.refine(isListingKey)),
      of: ({ sortKey }: ListedCustomer) => sortKey,
    },
    // One more, because the bound of the range is inclusive.
    after: (sortKey, count) => customersByName(request.table, request.principal, sortKey, count + 1),
  });
  return { records: rows.map(({ record }) => record), next };
};
