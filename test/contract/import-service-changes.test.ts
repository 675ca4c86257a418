import { expect, it } from '@jest/globals';
import { operator } from '#lib/domain/access/audit-event.ts';
import { type TableClient, tableClient } from '#lib/table/dynamodb/client.ts';
import { Customers } from '#lib/table/messaging/customers.ts';
import { Table } from '#lib/table/table.ts';
import { everyKind } from '#test/support/every-kind.ts';
import { isSchemaUpdate } from '#test/support/table-call.ts';
import { type Document, importFile, testTable } from '#test/support/world.ts';

const client = tableClient('import');

/** A table for an import. @param meanwhile runs after the import has written all records, before it ends */
function tableOf(meanwhile: () => Promise<unknown>): Table {
  const call: TableClient['call'] = async (operation, input: Document, signal) => {
    if (isSchemaUpdate(operation, input)) await meanwhile();
    return client.call(operation, input as never, signal);
  };
  return new Table({ client: { ...client, call }, name: testTable().name });
}

it('a customer whom the service completes during an import is still found by all details', async () => {
  const document: Document = everyKind();
  const { id: workspaceId } = document.workspace;
  const [customer] = document.messaging.customers;
  document.messaging.customers = [{ id: customer.id, externalId: 'crm-1' }];
  const find = (details: object) =>
    new Customers(testTable(), { workspaceId }).findOrCreate(details, { actor: operator, requestId: null });
  const email = 'noor@example.com';
  const complete = () => find({ externalId: 'crm-1', email });
  expect((await importFile(document, {}, tableOf(complete))).failures).toEqual([]);
  expect(await find({ email })).toMatchObject({ id: customer.id, email });
});
