import { afterAll, expect, it } from '@jest/globals';
import { Containers } from '#test/support/containers.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { shiftedClock } from '#test/support/history/run-history.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const proxy = await FaultProxy.start();
const containers = await Containers.start(0, proxy.url);
for (const ahead of [-15_000, 15_000, -15_000, 15_000]) containers.open(shiftedClock(ahead));
afterAll(async () => {
  await containers[Symbol.asyncDispose]();
  await proxy.stop();
});

type Name = 'reader' | 'member';
const manage = '/api/v1/manage';
/** The key that stops working, the change, and the status from then on. */
const changes: readonly [Name, string, object | undefined, number][] = [
  ['reader', `PATCH ${manage}/api-keys/key_reader`, { revokedAt: '2026-01-01T00:00:00.000Z' }, 401],
  ['reader', `PATCH ${manage}/api-keys/key_reader`, { expiresAt: '2026-01-01T00:00:00.000Z' }, 401],
  ['reader', `PATCH ${manage}/api-keys/key_reader`, { permissions: [] }, 403],
  ['reader', `POST ${manage}/api-keys/key_reader/rotate`, { graceSeconds: 0 }, 401],
  ['member', `PATCH ${manage}/members/mem_1`, { active: false }, 401],
  ['member', `DELETE ${manage}/members/mem_1`, undefined, 401],
];
const rooms = await Promise.all(
  [...changes, ...changes].map(async ([name, request, body, status], index) => {
    const { keys } = await openWorkspace('access');
    return { name, request, body, status, keys, key: keys[name], by: index };
  }),
);

/** The statuses of a list of the menu in all containers that do not stand still. */
const statuses = ({ key }: { readonly key: string }) =>
  Promise.all(
    containers.awake.map(
      async (container) => (await container.call(`GET /api/public/menu/products?apiKey=${key}`)).status,
    ),
  );

/** Waits until the log proves all keys in all containers, so that none is read. */
async function untilProven(): Promise<void> {
  for (;;) {
    await proxy.forget();
    for (const room of rooms) expect(await statuses(room)).toEqual([200, 200, 200, 200]);
    if (!proxy.calls.some(({ input }) => JSON.stringify(input).includes('"KEY#'))) return;
  }
}

it('a key that the log proves in all containers is refused by each next request after a change', async () => {
  await untilProven();
  for (const { request, body, status, keys, key, by } of rooms) {
    const [changing, sleeping] = [containers.at(by), containers.at(by + 1)];
    if (by % 2 === 0) sleeping.freeze();
    const answer = await changing.call(request, { key: keys.admin, ...(body && { body }) });
    expect([request, answer.status < 300]).toEqual([request, true]);
    const first = await statuses({ key });
    if (by % 2 === 0) sleeping.thaw();
    const all = await statuses({ key });
    expect([request, new Set([...first, ...all])]).toEqual([request, new Set([status])]);
  }
});
