import type { Context } from 'aws-lambda';
import { tableClient } from '#lib/table/client.ts';
import { newMeter } from '#lib/table/meter.ts';
import { Table } from '#lib/table/table.ts';
import type { ApiEvent, Exchange } from '../exchange.ts';

/** A JSON route answers within three seconds; what is left of them is for rendering the answer. */
const deadlineMilliseconds = 2_600;
const client = tableClient();

/** Opens the table for this request: its calls are counted, and end at the request's deadline. */
export const openTable = () => ({
  before: ({ event: { exchange }, context }: { event: ApiEvent; context: Context }) => {
    const signal = AbortSignal.timeout(
      Math.max(0, Math.min(deadlineMilliseconds, context.getRemainingTimeInMillis() - 500)),
    );
    exchange.meter = newMeter();
    exchange.table = new Table({ client, name: process.env['TABLE_NAME'] ?? '', signal, meter: exchange.meter });
  },
});

/** @throws when a chain asks for the table before it is open, which is a mistake of the chain */
export function openedTable({ table }: Exchange): Table {
  if (!table) throw new Error('The table is not open yet.');
  return table;
}
