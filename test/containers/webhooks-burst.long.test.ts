import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BundleProcess } from '#test/support/bundle-process.ts';
import { call } from '#test/support/call.ts';
import { storeEvents } from '#test/support/many-events.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { sharedBundles } from '#test/support/shared-bundles.ts';
import { WebhookReceiver } from '#test/support/webhook-receiver.ts';
import { advanceAttempts, dueAttempts } from '#test/support/webhook-work.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';

/** Most events are stored as such, because to make each by a request would take longer than to send it. */
const burst = Number(process.env['WEBHOOK_EVENTS'] ?? 10_000);
const products = Array.from({ length: 60 }, (_, index) => `product_${index}`);

interface Product {
  readonly id: string;
  readonly updatedAt: string;
}

let room: Workspace<'access'>;
let receiver: WebhookReceiver;
beforeAll(async () => {
  await openOwnTable();
  room = await openWorkspace('access');
  receiver = await WebhookReceiver.start();
});
afterAll(() => receiver.stop());

const ask = (request: string, body?: object) => call(request, { key: room.keys.admin, ...(body && { body }) });
const manage = (request: string, body?: object) => ask(request.replace(' ', ' /api/v1/manage/'), body);

/** Everything behind a list. */
async function pages<Item>(first: string, next: (page: { readonly next: string }) => string): Promise<Item[]> {
  const all: Item[] = [];
  for (let address: string | undefined = first; address; ) {
    const { json } = await ask(`GET ${address}`);
    all.push(...json.data);
    address = (json.hasMore ?? json.next !== null) ? next(json) : undefined;
  }
  return all;
}

const productPages = '/api/v1/manage/menu-products?limit=100';
const storedProducts = () => pages<Product>(productPages, ({ next }) => `${productPages}&cursor=${next}`);
const feed = '/api/v1/events?limit=100&types=menu_product.*';
const eventIds = async (since: string): Promise<string[]> => {
  const events = await pages<{ id: string }>(`${feed}&after=${since}`, ({ next }) => `${feed}&after=${next}`);
  return events.map(({ id }) => id);
};

/** A change for which time did not suffice is sent again. */
async function create(changes: readonly object[]): Promise<void> {
  const { json } = await manage('POST changes', { changes });
  const statuses: number[] = json.results.map(({ status }: { status: number }) => status);
  const left = changes.filter((_, index) => statuses[index] === 503);
  expect(statuses.filter((status) => status === 201)).toHaveLength(changes.length - left.length);
  expect(left.length).toBeLessThan(changes.length);
  if (left.length > 0) await create(left);
}

/** One of several editors. The last changes remove some products for good. */
async function edit(editor: number): Promise<void> {
  const own = products.filter((_, index) => index % 3 === editor);
  for (let round = 0; round < 60; round++) {
    const { status } = await manage(`PATCH menu-products/${own[round % own.length]}`, { preparationTime: round });
    expect(status).toBe(200);
  }
  for (const id of own.slice(0, 4)) expect((await manage(`DELETE menu-products/${id}`)).status).toBe(204);
}

/** The copy of a receiver, as lib/spec/additions.md section 5 tells it to make one. */
function copyOf(received: WebhookReceiver['received']): Map<string, Product> {
  const copy = new Map<string, Product>();
  const gone = new Set<string>();
  for (const { json } of received) {
    const { recordId, record } = json.data as { recordId: string; record: Product | null };
    const before = copy.get(recordId);
    if (record === null) gone.add(recordId);
    else if (!before || before.updatedAt <= record.updatedAt) copy.set(recordId, record);
  }
  for (const id of gone) copy.delete(id);
  return copy;
}

it(`${burst} events, in mixed order and with duplicates, end in a copy that equals the API`, async () => {
  const file = (await sharedBundles()).find(({ name }) => name === 'webhooks-deliver')?.file ?? '';
  const existing = await storedProducts();
  for (const { id } of existing) expect((await manage(`DELETE menu-products/${id}`)).status).toBe(204);
  const webhook = { url: receiver.url, types: ['menu_product.*'], apiKeyId: 'key_admin' };
  expect((await manage('POST webhooks', webhook)).status).toBe(201);
  const since = new Date().toISOString();
  const { categoryId } = existing[0] as unknown as { categoryId: string };
  const changes = products.map((id) => {
    return { method: 'POST', kind: 'menu-products', id, record: { slug: id, name: { en: id }, categoryId } };
  });
  await create(changes);
  let answered = 0;
  // The receiver has taken what it refuses, so that it comes again.
  receiver.answer = (_, response) => response.writeHead(++answered % 10 === 0 ? 500 : 204).end();
  const worker = new BundleProcess({});
  try {
    await storeEvents(room.workspaceId, burst, products);
    const editors = Promise.all([0, 1, 2].map(edit));
    for (let round = 0; round < 60; round++) {
      await worker.ask({ file, event: { time: new Date().toISOString() } });
      await editors;
      await advanceAttempts();
      if (receiver.received.length > burst && (await dueAttempts()).length === 0) break;
    }
  } finally {
    await worker.kill();
  }
  expect(await dueAttempts()).toEqual([]);
  const ids = await eventIds(since);
  const arrived = receiver.received.map(({ headers }) => String(headers['webhook-id']));
  expect(ids.length).toBeGreaterThan(burst);
  expect(new Set(arrived)).toEqual(new Set(ids));
  expect(arrived.length).toBeGreaterThan(ids.length);
  const first = [...new Set(arrived)];
  expect(first).not.toEqual(first.toSorted());
  const stored = await storedProducts();
  expect(stored).toHaveLength(products.length - 12);
  expect(copyOf(receiver.received)).toEqual(new Map(stored.map((product) => [product.id, product])));
}, 1_800_000);
