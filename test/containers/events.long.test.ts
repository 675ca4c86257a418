import { expect, it } from '@jest/globals';
import { Containers } from '#test/support/containers.ts';
import { Random } from '#test/support/history/random.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { type Document, importFile } from '#test/support/world.ts';

const writes = 240;
const clients = 6;

/** The options of a process whose clock is this number of milliseconds ahead. */
const clock = (milliseconds: number) => {
  const shifted = `const Own = Date; globalThis.Date = class extends Own {
    constructor(...given) { if (given.length > 0) super(...given); else super(Own.now() + ${milliseconds}); }
    static now() { return Own.now() + ${milliseconds}; }
  };`;
  return [`--import=data:text/javascript,${encodeURIComponent(shifted)}`];
};

it('two readers who follow the feed while four containers with different clocks write find every event once, in one order', async () => {
  const room = await openWorkspace('access');
  const key = room.keys.admin;
  await using containers = await Containers.start(0);
  for (const ahead of [-15_000, -5_000, 5_000, 15_000]) containers.open(clock(ahead));
  const sent = new Set<string>();
  const made: string[] = [];
  let isWriting = true;
  const follow = async (seed: number, limit: number): Promise<Document[]> => {
    const random = new Random(seed);
    const seen: Document[] = [];
    let after = '';
    for (let ended = false; ; ) {
      const query = `limit=${limit}${after && `&after=${after}`}`;
      const { status, json } = await containers.at(random.below(4)).call(`GET /api/v1/events?${query}`, { key });
      if (status === 503) continue;
      expect(status).toBe(200);
      seen.push(...json.data);
      after = json.next;
      if (json.hasMore) continue;
      if (ended) return seen;
      ended = !isWriting;
    }
  };
  const write = async (seed: number) => {
    const random = new Random(seed);
    for (let count = 0; count < writes / clients; count++) {
      const id = `client_${seed}_${count}`;
      const record = { id, name: { en: id }, slug: id, priceOptions: [], categoryId: 'cat_1', position: count };
      const request = `PUT /api/v1/manage/menu-products/${id}`;
      const { status } = await containers.at(random.below(4)).call(request, { key, body: record });
      // It is 503 while an import holds the records.
      expect([200, 201, 503]).toContain(status);
      sent.add(id);
      if (status !== 503) made.push(id);
      if (count % 15 === seed)
        await importFile({ version: 1, workspace: { ...room.document.workspace, name: id } } as Document);
    }
  };
  const readers = [follow(100, 7), follow(200, 100)];
  await Promise.all(Array.from({ length: clients }, (_, seed) => write(seed)));
  isWriting = false;
  const [first = [], second = []] = await Promise.all(readers);
  const fresh = await follow(300, 50);
  const ids = fresh.map(({ id }) => id);
  // Some of them came late.
  expect(ids).not.toEqual(ids.toSorted());
  expect(first.map(({ id }) => id)).toEqual(fresh.map(({ id }) => id));
  expect(second.map(({ id }) => id)).toEqual(fresh.map(({ id }) => id));
  const ofWrites = fresh.filter(({ kind }) => kind === 'menu-products').map(({ recordId }) => recordId);
  expect(new Set(ofWrites).size).toBe(ofWrites.length);
  expect(new Set(ofWrites).isSubsetOf(sent)).toBe(true);
  expect(new Set(ofWrites).isSupersetOf(new Set(made))).toBe(true);
  expect(made.length).toBeGreaterThan(writes / 2);
}, 300_000);
