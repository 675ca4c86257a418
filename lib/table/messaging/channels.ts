import { randomUUID } from 'node:crypto';
import type { EventAuthor } from '#lib/domain/events/workspace-event.ts';
import { type Channel, channelName } from '#lib/domain/messaging/channel.ts';
import { channelCount } from '../access/hourly-limits.ts';
import type { CountedCaller } from '../access/rate-limiter.ts';
import { isNew, isStill } from '../dynamodb/conditions.ts';
import { transact } from '../dynamodb/transact.ts';
import { ConditionFailed, Contended, HeldByImport } from '../errors.ts';
import { eventWrite } from '../events/event-writes.ts';
import { keys } from '../keys.ts';
import { isHeldByImport } from '../log/change-log.ts';
import { newItem } from '../stored-item.ts';
import { findRecord, Repository } from '../table.ts';
import { repeatWrite } from '../writer/repeat-write.ts';

/** The channels of a workspace. Access patterns W2, W3 and R4. */
export class Channels extends Repository {
  find = (id: string): Promise<Channel | undefined> => findRecord(this.table, this, 'channel', id);

  /** The channel of a website, if it is stored. @param host normalised */
  async findWebsite(host: string): Promise<Channel | undefined> {
    const name = await this.table.get(this.#nameKey(host));
    return name && this.find(String(name['id']));
  }

  /**
   * The id of a website's channel, which is created if it does not exist.
   * @param host normalised
   * @throws Unavailable; an error of `isOverLimit` if the caller has made too many in this hour
   */
  idOfWebsite(host: string, caller: CountedCaller, author: EventAuthor): Promise<string> {
    return repeatWrite<Channels, string>(this.table, {
      prepare: (tries) => (tries === 1 ? this : new Channels(this.table.uncached(), this)),
      write: (channels) =>
        channels.tryIdOfWebsite(host, caller, author).catch((error: unknown) => {
          if (error instanceof Contended) return error;
          if (isChannelTaken(error)) return 'changed';
          throw error;
        }),
    });
  }

  /**
   * Like `idOfWebsite`, but the channel's transaction is tried once.
   * @throws as `idOfWebsite`; Contended, or an error of `isChannelTaken`, if another call creates the channel
   */
  async tryIdOfWebsite(host: string, caller: CountedCaller, author: EventAuthor): Promise<string> {
    const name = await this.table.get(this.#nameKey(host));
    const named = name && String(name['id']);
    if (named !== undefined && (await this.find(named))) return named;
    // An import stores the names of its records without a condition, before the records.
    if (isHeldByImport(await this.table.get(keys.importLease(this.workspaceId)), 'channel')) throw new HeldByImport();
    // If an import was interrupted, there may be a name alone.
    const id = named ?? `ch_${randomUUID().replaceAll('-', '')}`;
    await transact(this.table, {
      name: [
        { Put: { Item: { ...this.#nameKey(host), id }, ...isStill('id', named) } },
        { Put: { Item: newItem(this.workspaceId, 'channel', websiteOf(id, host)), ...isNew } },
      ],
      count: { Update: channelCount(caller) },
      event: eventWrite(this, { kind: 'channels', recordId: id, action: 'created', ...author }),
    });
    return id;
  }

  #nameKey = (host: string) =>
    keys.slug(this.workspaceId, 'channel', channelName({ type: 'website', identifier: host }) ?? '');
}

export const isOverLimit = (error: unknown): boolean => error instanceof ConditionFailed && error.write === 'count';

/** Whether a channel was not created because another call has created it. */
export const isChannelTaken = (error: unknown): boolean => error instanceof ConditionFailed && error.write === 'name';

const websiteOf = (id: string, host: string): Channel => ({
  id,
  type: 'website',
  identifier: host,
  name: null,
  agentId: null,
});
