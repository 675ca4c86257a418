import { expect, it } from '@jest/globals';
import { openWorkspace } from '#test/support/workspace.ts';

// Eight writers and two readers in one conversation. Every request has its own table object, as in a container.

const writers = 8;
const each = 12;

it('pages in both directions miss and repeat nothing while eight writers write', async () => {
  const room = await openWorkspace('talk');
  const path = (query: string) => `/conv_1/messages${query}`;
  const page = async (query: string): Promise<{ ids: string[]; hasMore: boolean }> => {
    const { json } = await room.send('GET', path(query));
    return { ids: json.data.map(({ id }: { id: string }) => id), hasMore: json.hasMore };
  };
  let isOver = false;

  const forth: string[] = (await page('?limit=1&before=msg_2')).ids;
  async function follow(): Promise<void> {
    for (let last = false; ; ) {
      const { ids } = await page(`?limit=5&after=${forth.at(-1)}`);
      forth.push(...ids);
      if (ids.length === 0 && last) return;
      last = isOver;
    }
  }

  /** From the newest message at this moment to the first, while others are added. */
  async function walkBack(): Promise<string[]> {
    const { ids, hasMore } = await page('?limit=4');
    for (let more = hasMore; more; ) {
      const older = await page(`?limit=4&before=${ids[0]}`);
      ids.unshift(...older.ids);
      more = older.hasMore;
    }
    return ids;
  }

  /** A machine that is busy with other tests may answer 503; clients retry with their idempotency key. */
  async function sendUntilStored(body: object, key: string): Promise<{ id: string }> {
    for (;;) {
      const { status, json } = await room.say('conv_1', body, { 'idempotency-key': key });
      if (status === 201) return json;
      expect(status).toBe(503);
    }
  }

  const sent: string[] = [];
  const writing = Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      let newest = '';
      for (let number = 0; number < each; number++) {
        const senderType = (writer + number) % 2 ? 'member' : 'customer';
        const body = { senderType, text: `${writer} ${number}` };
        const json = await sendUntilStored(body, `${writer} ${number}`);
        expect(json.id > newest).toBe(true);
        newest = json.id;
        sent.push(json.id);
      }
    }),
  ).then(() => {
    isOver = true;
  });
  const backwards: string[][] = [];
  const walking = (async () => {
    while (!isOver) backwards.push(await walkBack());
  })();
  await Promise.all([writing, follow(), walking]);

  const { json } = await room.send('GET', path('?limit=100'));
  const all: { id: string; createdAt: string }[] = json.data;
  expect(all).toHaveLength(3 + writers * each);
  expect(all.slice(3).map(({ id }) => id)).toEqual(sent.toSorted());
  const times = all.map(({ createdAt }) => createdAt);
  expect(times).toEqual(times.toSorted());
  expect(forth).toEqual(all.map(({ id }) => id));
  for (const walk of backwards) expect(walk).toEqual(all.slice(0, walk.length).map(({ id }) => id));
});
