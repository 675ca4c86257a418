import { MailQueue, mailShards } from '#lib/table/forms/mail-queue.ts';
import type { MailSender } from './mail-sender.ts';

export const searchMillisecondsMax = 30_000;

/**
 * Delivers due jobs: postponed ones, and those whose process died. It reads each shard of the queue once, all shards
 * concurrently, so that a long one delays no other.
 * @param isTimeLeft whether another attempt may begin
 * @throws Unavailable when the table does not answer
 */
export async function sweep(sender: MailSender, isTimeLeft: () => boolean): Promise<void> {
  const queue = new MailQueue(sender.table(AbortSignal.timeout(searchMillisecondsMax)));
  const searches = await Promise.allSettled(
    mailShards.map(async (shard) => {
      for await (const key of queue.due(shard, Date.now())) {
        if (!isTimeLeft()) return;
        await sender.deliver(key);
      }
    }),
  );
  const failed = searches.find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}
