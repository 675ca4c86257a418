import type { Principal } from '#lib/domain/access/principal.ts';
import type { EventAuthor } from '#lib/domain/events/workspace-event.ts';
import { rateLimited } from '#lib/http/errors.ts';
import { Channels, TooManyChannels } from '#lib/table/messaging/channels.ts';
import type { Table } from '#lib/table/table.ts';

/**
 * The id of a website's channel, which is created if it does not exist.
 * @param host normalised
 * @throws 429 when the caller has made too many channels this hour, Unavailable
 */
export const websiteChannel = (
  table: Table,
  principal: Principal,
  host: string,
  author: EventAuthor,
): Promise<string> => limited(principal, new Channels(table, principal).idOfWebsite(host, principal, author));

/** Like `websiteChannel`, but the channel's transaction is tried once. @throws also as `tryIdOfWebsite` */
export const tryWebsiteChannel = (
  table: Table,
  principal: Principal,
  host: string,
  author: EventAuthor,
): Promise<string> => limited(principal, new Channels(table, principal).tryIdOfWebsite(host, principal, author));

async function limited(principal: Principal, id: Promise<string>): Promise<string> {
  try {
    return await id;
  } catch (error) {
    if (!(error instanceof TooManyChannels)) throw error;
    throw rateLimited(error.seconds, principal.kind, 'made too many channels this hour');
  }
}
