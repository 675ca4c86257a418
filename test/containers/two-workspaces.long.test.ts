import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { itemsOf } from '#test/support/aws-limits.ts';
import type { Call } from '#test/support/call.ts';
import { Containers } from '#test/support/containers.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { field, form } from '#test/support/presets/forms.ts';
import { views, withKey } from '#test/support/views.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';

const open = () =>
  openWorkspace('kitchen', (document) => {
    document.forms = [form('visit', [field('note', 'TEXTAREA')])];
  });
const mine = await open();
const other = await open();
const proxy = await FaultProxy.start();
const containers = await Containers.start(1, proxy.url);
beforeEach(() => proxy.forget());
afterAll(async () => {
  await containers[Symbol.asyncDispose]();
  await proxy.stop();
});

const requests: readonly (readonly [request: string, call: Call])[] = [
  ...views.map((view) => [view, {}] as const),
  ['GET /api/public/forms/visit', {}],
  ['POST /api/public/forms/visit', { body: { note: 'A table for two' } }],
  ['PATCH /api/public/cms/things/thing_1', { body: { values: { amount: 1 } } }],
  ['PATCH /api/public/cms/chefs/chef_1', { body: { values: { joined: '2026-01-01' } } }],
];

/** Sends the key where the route expects it. */
function send(request: string, key: string, options: Call) {
  const inQuery = request.includes('/forms/') ? `${request}?apiKey=${encodeURIComponent(key)}` : withKey(request, key);
  return containers.at(0).call(inQuery, inQuery === request ? { key, ...options } : options);
}

describe('two workspaces with the same ids, slugs and names of keys, in one warm container', () => {
  it('2,000 requests of both, 50 in parallel: no answer and no table call has data of the other workspace', async () => {
    let left = 2_000;
    const work = async (worker: number) => {
      for (let turn = worker; left-- > 0; turn++) {
        const [own, foreign]: readonly Workspace[] = turn % 2 === 0 ? [mine, other] : [other, mine];
        const [request, options] = requests[turn % requests.length] ?? ['', {}];
        const { status, text, headers } = await send(request, own?.keys.editor ?? '', options);
        expect([request, [200, 503].includes(status)]).toEqual([request, true]);
        expect(text + JSON.stringify(headers)).not.toContain(foreign?.canary);
        expect(text + JSON.stringify(headers)).not.toContain(foreign?.workspaceId);
      }
    };
    await Promise.all(Array.from({ length: 50 }, (_, worker) => work(worker)));
    const ids = `(${mine.workspaceId}|${other.workspaceId})`;
    // Workspaces share the partitions of due work.
    const own = new RegExp(
      `^(KEY#[0-9a-f]{64} |(W|RATE|AUDIT|EVENTS|VERSIONS)#${ids}[# ]|DUE#compaction#\\d .*#${ids}#)`,
    );
    expect(proxy.calls.length).toBeGreaterThan(2_000);
    for (const call of proxy.calls) {
      expect(call.operation).not.toBe('Scan');
      for (const { pk, sk } of itemsOf(call)) expect(`${pk} ${sk}`).toMatch(own);
      const of = ({ workspaceId }: Workspace) => itemsOf(call).some(({ pk }) => pk.includes(workspaceId));
      // A transaction writes to one workspace; requests of both may share a read.
      if (call.operation === 'TransactWriteItems') expect([of(mine), of(other)]).toContain(false);
    }
  }, 900_000);
});

describe('an invalid key', () => {
  const { editor, revoked, expired } = mine.keys;
  const flipped = `${editor.slice(0, -1)}${editor.endsWith('0') ? '1' : '0'}`;
  it.each([
    ['has one other character', flipped],
    ['differs in letter case', editor.toUpperCase()],
    ['has one more character', `${editor}0`],
    ['is revoked', revoked],
    ['has expired', expired],
    ['has 10,000 characters', 'k'.repeat(10_000)],
    ['has letters outside ASCII', `${editor}é`],
  ])('that %s is refused by every route with the same answer, and nothing is written', async (_, key) => {
    const bodies = new Set<string>();
    for (const [request, options] of requests) {
      const { status, json } = await send(request, key, options);
      expect([request, status]).toEqual([request, 401]);
      bodies.add(JSON.stringify(json));
    }
    expect(bodies.size).toBe(1);
    expect(proxy.calls.filter(({ operation }) => !['BatchGetItem', 'GetItem'].includes(operation))).toEqual([]);
    for (const call of proxy.calls) for (const { pk } of itemsOf(call)) expect(pk).toMatch(/^KEY#/);
  });
});
