import type { DynamoDBBatchResponse } from 'aws-lambda';
import { eventKeys } from '#lib/table/events/keys.ts';
import { advanceUntilDue as advance, dueItems, parkedItems } from './due-items.ts';
import { streamRecord } from './mail-work.ts';

const context = { getRemainingTimeInMillis: () => 60_000 };

async function invoke(event: object): Promise<unknown> {
  const { handler } = await import('../../functions/webhooks-deliver/handler.ts');
  return handler(event as never, context);
}

/** Runs the scheduled work: makes deliveries of what has happened, and sends what is due. */
export const sweepWebhooks = (): Promise<unknown> =>
  invoke({ source: 'aws.events', 'detail-type': 'Scheduled Event', time: new Date().toISOString() });

/** What the stream says after a change of a workspace, and then of each delivery that is due. */
export async function streamChange(workspaceId: string): Promise<string[]> {
  const event = streamRecord({ pk: eventKeys.events(workspaceId), sk: 'evt_0' }, 1);
  const due = async () => (await dueAttempts()).map((item, index) => streamRecord(item, index));
  const first = (await invoke({ Records: [event] })) as DynamoDBBatchResponse;
  const second = (await invoke({ Records: await due() })) as DynamoDBBatchResponse;
  return [...first.batchItemFailures, ...second.batchItemFailures].map(({ itemIdentifier }) => itemIdentifier);
}

/** The attempts that are due some time, of the whole table. */
export const dueAttempts = () => dueItems('attempt');
export const parkedAttempts = () => parkedItems('attempt');
/** Moves the clock until every attempt is due and no lease is valid. */
export const advanceAttempts = (): Promise<void> => advance('attempt');
