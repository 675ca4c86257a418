import type { Context, ScheduledEvent } from 'aws-lambda';
import { tableName } from '#lib/attachments/settings.ts';
import { attachmentMillisecondsMax, type Sweep, sweepAttachments } from '#lib/attachments/sweep.ts';
import { objectSize } from '#lib/files/object-size.ts';
import { removeFile } from '#lib/files/remove-file.ts';
import { logWork } from '#lib/http/log.ts';
import { sweepImages } from '#lib/media/sweep.ts';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { Table } from '#lib/table/table.ts';

const client = tableClient();

/** Runs on a schedule: stores or removes announced files. */
export async function handler(
  event: ScheduledEvent,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<void> {
  const signal = AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - 1_000));
  const table = new Table({ client, name: tableName(), signal });
  const isTimeLeft = () => context.getRemainingTimeInMillis() > attachmentMillisecondsMax;
  const sweep = await sweepAttachments(table, { objectSize, removeFile }, event.time, isTimeLeft);
  const isLogged = sweep.stored + sweep.removed + sweep.failed > 0;
  if (isLogged) logWork(levelOf(sweep), 'Announced attachments were settled.', { ...sweep });
  const images = await sweepImages(table, removeFile, event.time, isTimeLeft);
  if (images.removed + images.failed > 0) logWork(levelOf(images), 'Images were cleared away.', { ...images });
}

/** The alarm counts error lines. It ignores a single failure, but not a file that remains for an hour. */
const levelOf = ({ failed, overdue }: Pick<Sweep, 'failed' | 'overdue'>) =>
  overdue > 0 ? 'error' : failed > 0 ? 'warn' : 'info';
