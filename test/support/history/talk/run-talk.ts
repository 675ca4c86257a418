import { storedRecords } from '../../document-text.ts';
import { conversations } from '../../presets/chat.ts';
import type { SharedWorld } from '../clients.ts';
import { Random } from '../random.ts';
import { type SharedTalk, TalkClient } from './client.ts';
import type { Shown } from './message-log.ts';
import { TalkHistory } from './talk-history.ts';
import { openingChannel, openTalkWorld } from './world.ts';

/** A history of conversations: the operations of its clients, and the judgement. */
export interface Talk {
  /** Runs the clients until all operations are done. */
  readonly work: (operations: number, clients: number, seed: number) => Promise<void>;
  /** Call it after all work, when all faults have ended. @returns a sentence for each violation */
  readonly judge: () => Promise<string[]>;
}

export async function openTalk(shared: SharedWorld): Promise<Talk> {
  const world = await openTalkWorld();
  const talk = new TalkHistory(world.conversations);
  const common: SharedTalk = { shared, world, talk, agents: 0, isImporting: false };
  return {
    work: async (operations, clients, seed) => {
      let left = operations;
      const all = Array.from({ length: clients }, async (_, number) => {
        const client = new TalkClient(common, new Random(seed + number));
        while (left-- > 0) await client.act();
      });
      await Promise.all(all);
    },
    judge: () => judge(common),
  };
}

async function judge(common: SharedTalk): Promise<string[]> {
  const { talk, world } = common;
  for (const [id, { messages }] of talk.conversations) messages.close(await allMessages(common, id));
  const faults = [...talk.violations()];
  for (const [customerId, door] of talk.doors) {
    const { data } = await get(common, `?customerId=${customerId}&channelId=${openingChannel}&limit=100`);
    faults.push(...door.violations(data));
  }
  const [customers, channels] = await Promise.all([
    storedRecords(world.room.workspaceId, 'customer'),
    storedRecords(world.room.workspaceId, 'channel'),
  ]);
  for (const [name, ids] of talk.guests) {
    const made = [
      customers.filter(({ externalId }) => externalId === name).length,
      channels.filter(({ identifier }) => identifier === `${name}.example`).length,
    ];
    if (made.some((count) => count > 1 || (ids.size > 0 && count === 0)))
      faults.push(`${name} is stored as ${made[0]} customers, and its website as ${made[1]} channels.`);
  }
  return faults;
}

async function allMessages(common: SharedTalk, id: string): Promise<Shown[]> {
  const all: Shown[] = [];
  for (let hasMore = true; hasMore; ) {
    const before = all[0] ? `&before=${all[0].id}` : '';
    const page = await get(common, `/${id}/messages?limit=100${before}`);
    all.unshift(...page.data);
    hasMore = page.hasMore;
  }
  return all;
}

async function get({ shared, world }: SharedTalk, path: string) {
  const { status, text, json } = await shared.containers.at(0).call(`GET ${conversations}${path}`, {
    key: world.room.key,
  });
  if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
  return json;
}
