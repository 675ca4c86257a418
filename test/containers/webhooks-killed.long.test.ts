import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BundleProcess } from '#test/support/bundle-process.ts';
import { call } from '#test/support/call.ts';
import { KillableFunctions, type KillPoint } from '#test/support/killable-functions.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { sharedBundles } from '#test/support/shared-bundles.ts';
import { WebhookReceiver } from '#test/support/webhook-receiver.ts';
import { advanceAttempts, dueAttempts } from '#test/support/webhook-work.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';

let receiver: WebhookReceiver;
let file: string;

beforeAll(async () => {
  await openOwnTable();
  receiver = await WebhookReceiver.start();
  file = (await sharedBundles()).find(({ name }) => name === 'webhooks-deliver')?.file ?? '';
});
afterAll(() => receiver.stop());

const manage = (room: Workspace<'access'>, request: string, body?: object) =>
  call(request.replace(' ', ' /api/v1/manage/'), { key: room.keys.admin, ...(body && { body }) });

async function openRoom(webhooks: number): Promise<Workspace<'access'>> {
  const room = await openWorkspace('access');
  for (let index = 0; index < webhooks; index++) {
    const body = { url: receiver.url, types: ['member.*'], apiKeyId: 'key_admin' };
    expect((await manage(room, 'POST webhooks', body)).status).toBe(201);
  }
  receiver.reset();
  return room;
}

const rename = async (room: Workspace<'access'>, names: readonly string[]) => {
  for (const name of names) expect((await manage(room, 'PATCH members/mem_1', { name })).status).toBe(200);
};
const schedule = () => ({ time: new Date().toISOString() });
/** How often each event has arrived. */
const arrivals = () => {
  const ids = receiver.received.map(({ headers }) => String(headers['webhook-id']));
  return [...Map.groupBy(ids, (id) => id).values()].map(({ length }) => length);
};

it('an event reaches its webhook, whenever the process that delivers is killed', async () => {
  const room = await openRoom(1);
  // The place in the feed, the delivery, the claim, what came of the attempt, the end of the work; then the next event's.
  const deaths = Array.from({ length: 7 }, (_, index) => index + 1).flatMap((write): KillPoint[] => [
    { write, when: 'before' },
    { write, when: 'after' },
  ]);
  const functions = await KillableFunctions.start({ table: process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '' }, deaths);
  let made = 0;
  try {
    for (let round = 0; functions.deathsLeft > 0 && round < 40; round++) {
      await rename(room, [`Killed ${round} a`, `Killed ${round} b`]);
      made += 2;
      await functions.invoke(file, schedule());
      await advanceAttempts();
    }
    expect(functions.deathsLeft).toBe(0);
    for (let round = 0; round < 5 && (round === 0 || (await dueAttempts()).length > 0); round++) {
      await advanceAttempts();
      await functions.invoke(file, schedule());
    }
  } finally {
    await functions.stop();
  }
  expect(await dueAttempts()).toEqual([]);
  expect(arrivals()).toHaveLength(made);
  const webhook = (await manage(room, 'GET webhooks')).json.data[0].id;
  const { json } = await manage(room, `GET webhooks/${webhook}/deliveries?limit=100`);
  expect(json.data.map(({ status }: { status: string }) => status)).toEqual(Array(made).fill('delivered'));
});

it('four containers at once send each event one time to each webhook', async () => {
  const room = await openRoom(3);
  const workers = Array.from({ length: 4 }, () => new BundleProcess({}));
  try {
    await rename(
      room,
      Array.from({ length: 40 }, (_, index) => `Many ${index}`),
    );
    for (let round = 0; round < 3; round++) {
      await Promise.all(workers.map((worker) => worker.ask({ file, event: schedule() })));
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.kill()));
  }
  expect(arrivals()).toEqual(Array(40).fill(3));
  expect(await dueAttempts()).toEqual([]);
});
