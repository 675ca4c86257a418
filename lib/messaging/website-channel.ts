import type { Principal } from '#lib/domain/access/principal.ts';
import { rateLimited } from '#lib/http/errors.ts';
import { TooManyChannels } from '#lib/table/messaging/channels.ts';

/** @param id of a website's channel, found or created for the caller @throws 429 when it has made too many this hour */
export async function withinChannelLimit({ kind }: Principal, id: Promise<string>): Promise<string> {
  try {
    return await id;
  } catch (error) {
    if (!(error instanceof TooManyChannels)) throw error;
    throw rateLimited(error.seconds, kind, 'made too many channels this hour');
  }
}
