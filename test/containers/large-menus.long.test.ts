import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from '@jest/globals';
import { memoryMegabytesDefault, nodeOptionsFor } from '#lib/infra/service-function.ts';
import type { Answer } from '#test/support/call.ts';
import { Containers } from '#test/support/containers.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { storeLargeMenu } from '#test/support/large-workspace.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';

const productCount = 100_000;
const proxy = await FaultProxy.start();
const containers = await Containers.start(0, proxy.url);

afterAll(async () => {
  await containers[Symbol.asyncDispose]();
  await proxy.stop();
});

it('a function with the default memory keeps a menu of 100,000 products with its relations, and exchanges it for another', async () => {
  const kitchens = [await openWorkspace('kitchen'), await openWorkspace('kitchen')] as const;
  for (const { workspaceId } of kitchens) await storeLargeMenu(workspaceId, productCount);
  const container = containers.open(nodeOptionsFor(memoryMegabytesDefault).split(' '));
  const list = ({ keys }: Workspace): Promise<Answer> =>
    container.call(`GET /api/public/menu/products?limit=5&apiKey=${keys.reader}`);
  for (const kitchen of [...kitchens, ...kitchens]) {
    // A function with little time for each request loads such a menu in several requests.
    let first = await list(kitchen);
    for (let tries = 1; first.status === 503 && tries < 10; tries++) first = await list(kitchen);
    proxy.calls = [];
    const second = await list(kitchen);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.json.data.map(({ cmsData }: { cmsData: object }) => Object.keys(cmsData))).toEqual(
      Array.from({ length: 5 }, () => ['chefs']),
    );
    // The key, the heads and the records of the page; no part of the menu.
    expect(proxy.calls.length).toBeLessThanOrEqual(4);
  }
  expect(peakMegabytes(container.pid)).toBeLessThan(memoryMegabytesDefault);
});

/** The most memory that a process has had. */
const peakMegabytes = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
