import { customersByName, type ListedCustomer } from '#lib/table/messaging/customers.ts';
import type { ListQuery, ReadPage } from './list-query.ts';
import { pageByName } from './page-by-name.ts';

const searchCustomers = pageByName('customer');

/** Customers by name. A page is a range of pointers and its records; only a search reads all customers. */
export const customerPage: ReadPage = async (request, query: ListQuery) => {
  const { limit, after, words } = query;
  if (words.length > 0) return searchCustomers(request, query);
  const page: ListedCustomer[] = [];
  // One more than the page, plus the bound of the range, which is inclusive.
  const customers = customersByName(request.table, request.principal, after as string | undefined, limit + 2);
  for await (const customer of customers) {
    if (page.length === limit) return { records: page.map(({ record }) => record), next: page.at(-1)?.sortKey };
    page.push(customer);
  }
  return { records: page.map(({ record }) => record), next: undefined };
};
