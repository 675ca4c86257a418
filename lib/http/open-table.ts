import type { Context } from 'aws-lambda';
import { newMeter, tableClient } from '#lib/table/dynamodb/client.ts';
import { abortAfter, milliseconds as clock } from '#lib/table/dynamodb/clock.ts';
import { Table } from '#lib/table/table.ts';
import type { ApiEvent } from './request-state.ts';

/** A JSON route answers within three seconds. The remaining time is for rendering the answer. */
export const deadlineMilliseconds = 2_600;
/** The time that a table call leaves for the answer before the function's timeout. */
export const answerMilliseconds = 500;
const client = tableClient();

/** Opens the table for this request. Its calls are counted, and end at the request's deadline. */
export const openTable = () => ({
  before: ({ event: { state }, context }: { event: ApiEvent; context: Context }) => {
    const meter = newMeter();
    const name = process.env['TABLE_NAME'] ?? '';
    const open = (milliseconds: number) => {
      const patience = Math.max(0, Math.min(milliseconds, context.getRemainingTimeInMillis() - answerMilliseconds));
      const ending = abortAfter(patience);
      const table = new Table({ client, name, signal: ending.signal, deadline: clock() + patience, meter });
      return { table, stop: () => ending.abort() };
    };
    const tableFor = (milliseconds: number) => open(milliseconds).table;
    Object.assign(state, { meter, tableFor, ...open(deadlineMilliseconds) });
  },
});
