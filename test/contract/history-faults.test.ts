import { expect, it } from '@jest/globals';
import type { Fault } from '#test/support/fault-proxy.ts';
import { startTableProxy } from '#test/support/proxied-table.ts';
import { shortenPauses } from '#test/support/short-pauses.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { manage } = await openWorkspace('records');
const proxy = await startTableProxy();
shortenPauses();

interface Row {
  readonly id: string;
  readonly action: string;
}

const path = 'menu-products/prod_1';
const rowsOf = async (): Promise<Row[]> => (await manage(`GET ${path}/versions?limit=100`)).json.data;
let count = 0;
const writes: Readonly<Record<string, () => Promise<{ readonly status: number }>>> = {
  'an update': () => manage(`PATCH ${path}`, { preparationTime: ++count }),
  'a restore': async () => manage(`POST ${path}/restore`, { version: (await rowsOf())[1]?.id }),
  'a deletion': () => manage(`DELETE ${path}`),
};
const throttled = { kind: 'error', type: 'ThrottlingException', status: 400 } as const;
const faults: Readonly<Record<string, readonly [fault: Fault, times: number]>> = {
  'is refused each time': [throttled, 1_000],
  'breaks before its transaction': [{ kind: 'reset before' }, 1],
  'has its transaction and no reply': [{ kind: 'reset after' }, 1],
};

it.each(Object.keys(writes).flatMap((write) => Object.keys(faults).map((fault) => [write, fault] as const)))(
  '%s that %s leaves the record and its version, or neither',
  async (write, name) => {
    proxy.heal();
    await manage(`PUT ${path}`, { slug: 'dish-1', name: { en: 'Dish' }, categoryId: 'cat_1' });
    await manage(`PATCH ${path}`, { preparationTime: ++count });
    const before = await rowsOf();
    const stored = (await manage(`GET ${path}`)).text;
    const [fault, times] = faults[name] ?? [throttled, 1];
    proxy.plan('TransactWriteItems', fault, times);
    const { status } = (await writes[write]?.()) ?? { status: 0 };
    proxy.heal();
    expect(status < 300 || status === 503).toBe(true);
    const current = await manage(`GET ${path}`);
    const rows = await rowsOf();
    const made = rows.slice(0, rows.length - before.length);
    expect([made.length, rows.slice(made.length).map(({ id }) => id)]).toEqual([
      current.text === stored ? 0 : 1,
      before.map(({ id }) => id),
    ]);
    const [newest] = rows;
    if (current.status === 404) expect(newest?.action).toBe('delete');
    else expect((await manage(`GET ${path}/versions/${newest?.id}`)).text).toBe(current.text);
  },
);
