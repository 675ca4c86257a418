import type { Context, ScheduledEvent } from 'aws-lambda';
import { tableName } from '#lib/attachments/settings.ts';
import { logWork } from '#lib/http/log.ts';
import { compactCollections, compactionMillisecondsMax } from '#lib/table/collection/compact-collections.ts';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { Table } from '#lib/table/table.ts';

const client = tableClient();

/** Runs on a schedule: compacts collections with long logs, one after the other. */
export async function handler(_: ScheduledEvent, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> {
  const signal = AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - 1_000));
  const table = new Table({ client, name: tableName(), signal });
  const isTimeLeft = () => context.getRemainingTimeInMillis() > compactionMillisecondsMax;
  const summary = await compactCollections(table, isTimeLeft);
  const isLogged = summary.compacted + summary.failed > 0;
  if (isLogged) logWork(summary.failed > 0 ? 'warn' : 'info', 'Logs of lists were compacted.', { ...summary });
}
