import type { Principal } from '#lib/domain/access/principal.ts';
import { rateLimited } from '#lib/http/errors.ts';
import { secondsToNextHour } from '#lib/table/access/hourly-limits.ts';
import { isOverLimit } from '#lib/table/messaging/channels.ts';

/** @param id of a website's channel, found or created for the caller @throws 429 when it has made too many this hour */
export async function withinChannelLimit({ kind }: Principal, id: Promise<string>): Promise<string> {
  return id.catch((error: unknown) => {
    throw isOverLimit(error) ? rateLimited(secondsToNextHour(), kind, 'made too many channels this hour') : error;
  });
}
