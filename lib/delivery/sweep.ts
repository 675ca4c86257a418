import { MailQueue, mailShards } from '#lib/table/mail-queue.ts';
import type { PostOffice } from './post-office.ts';

const searchMillisecondsMax = 30_000;

/**
 * Delivers what is due and was left behind: put off, or held by a process that died. It asks each shard of the queue
 * once, and works on all of them side by side, so that a long one keeps no other waiting.
 * @param isTimeLeft whether another attempt may begin
 * @throws Unavailable when the table does not answer
 */
export async function sweep(postOffice: PostOffice, isTimeLeft: () => boolean): Promise<void> {
  const queue = new MailQueue(postOffice.table(AbortSignal.timeout(searchMillisecondsMax)));
  const searches = await Promise.allSettled(
    mailShards.map(async (shard) => {
      for await (const key of queue.due(shard, Date.now())) {
        if (!isTimeLeft()) return;
        await postOffice.deliver(key);
      }
    }),
  );
  const failed = searches.find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}
