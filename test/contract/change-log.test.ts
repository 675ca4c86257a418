import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type TableClient, tableClient } from '#lib/table/dynamodb/client.ts';
import { removeAll } from '#lib/table/dynamodb/write-all.ts';
import { Unavailable } from '#lib/table/errors.ts';
import { keys } from '#lib/table/keys.ts';
import {
  changesOf,
  idAt,
  type LoggedChange,
  type LoggedRecord,
  shownChanges,
  windowMilliseconds,
} from '#lib/table/log/change-log.ts';
import { readLog } from '#lib/table/log/read-log.ts';
import { transactLogged } from '#lib/table/log/write-log.ts';
import { Table } from '#lib/table/table.ts';
import { testTable } from '#test/support/world.ts';

const tea: LoggedRecord = { kind: 'menuProduct', id: 'tea', revision: 'one' };
const minutes = 60_000;
let scope: { readonly workspaceId: string };
let isShifted = 0;

beforeEach(() => {
  scope = { workspaceId: `ws_${randomUUID().replaceAll('-', '')}` };
  isShifted = 0;
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => now() + isShifted);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Imitates that this container's clock goes on. */
const wait = (milliseconds: number) => {
  isShifted += milliseconds;
};
/** Each request has a table of its own. */
const read = () => readLog(testTable(), scope);
const idsIn = ({ changes }: { readonly changes: readonly LoggedChange[] }) => changes.map(({ id }) => id);

/** Another container stores a change. @param age how much older its id is than this container's time */
async function log(id: string, age = 0): Promise<LoggedChange> {
  const item = {
    ...keys.loggedChange(scope.workspaceId, `${idAt(Date.now() - age)}${randomUUID().slice(0, 8)}`),
    ...tea,
    id,
  };
  await testTable().put(item);
  return item;
}

const removeBefore = (time: number) =>
  testTable().update(keys.logState(scope.workspaceId), {
    UpdateExpression: 'SET #checkpoint = :checkpoint',
    ExpressionAttributeNames: { '#checkpoint': 'checkpoint' },
    ExpressionAttributeValues: { ':checkpoint': idAt(time) },
  });

describe('the end of a log', () => {
  it('has every change since the last read, in one view', async () => {
    const first = await read();
    expect(first.changes).toEqual([]);
    await log('a');
    await log('b');
    const second = await read();
    expect([idsIn(second), second.view === first.view]).toEqual([['a', 'b'], true]);
    expect((await read()).changes).toBe(second.changes);
    expect(first.changes).toEqual([]);
  });

  it('is read once in a request, until the request writes', async () => {
    const table = testTable();
    await readLog(table, scope);
    await log('a');
    expect(idsIn(await readLog(table, scope))).toEqual([]);
    table.clearCache();
    expect(idsIn(await readLog(table, scope))).toEqual(['a']);
  });

  it('has changes of clocks that are behind, and late ones, up to the window', async () => {
    await read();
    await log('late', windowMilliseconds - 10_000);
    await log('ahead', -30_000);
    expect(idsIn(await read()).toSorted()).toEqual(['ahead', 'late']);
  });

  it('is read as a whole after ten minutes, so that no fault of a clock lasts', async () => {
    const first = await read();
    await log('too late', 2 * windowMilliseconds);
    expect(idsIn(await read())).toEqual([]);
    wait(9 * minutes);
    expect(idsIn(await read())).toEqual([]);
    wait(2 * minutes);
    const whole = await read();
    expect([idsIn(whole), whole.view === first.view]).toEqual([['too late'], true]);
  });

  it('is whole after an hour of sleep', async () => {
    const first = await read();
    wait(60 * minutes);
    for (const age of [55, 30, 1]) await log(`${age} minutes ago`, age * minutes);
    const after = await read();
    expect([after.changes.length, after.view === first.view]).toEqual([3, true]);
  });

  it('opens anew after a sleep in which changes were removed', async () => {
    const first = await read();
    wait(60 * minutes);
    await removeBefore(Date.now() - 30 * minutes);
    await log('young');
    const after = await read();
    expect([idsIn(after), after.view === first.view]).toEqual([['young'], false]);
  });

  it('forgets what a compaction has removed, and goes on', async () => {
    const old = await log('old', 5 * minutes);
    const first = await read();
    expect(idsIn(first)).toEqual(['old']);
    await removeBefore(Date.now() - 2 * minutes);
    await removeAll(testTable(), [old]);
    await log('young');
    const after = await read();
    expect([idsIn(after), after.view === first.view]).toEqual([['young'], true]);
  });

  it('opens anew if a restored backup lacks what was read', async () => {
    const later = await log('later');
    const first = await read();
    await removeAll(testTable(), [later]);
    const after = await read();
    expect([idsIn(after), after.view === first.view]).toEqual([[], false]);
  });

  it('is one view for concurrent requests of a container', async () => {
    await log('a');
    const before = await read();
    const reads = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        if (index % 2 === 0) await log(`b${index}`);
        return read();
      }),
    );
    expect(new Set([before, ...reads].map(({ view }) => view)).size).toBe(1);
    expect((await read()).changes).toHaveLength(5);
  });
});

/** A table of a request, whose calls of the engine end after `wait`. */
function watchedTable(queries: object[], wait?: () => Promise<void>, signal?: AbortSignal): Table {
  const client = tableClient();
  const call: TableClient['call'] = async (operation, input, callSignal) => {
    queries.push(input);
    const output = await client.call(operation, input, callSignal);
    await wait?.();
    return output;
  };
  return new Table({ client: { ...client, call }, name: testTable().name, ...(signal && { signal }) });
}

describe('the end of a log after a busy minute', () => {
  const busy = async () => {
    const logged = [];
    for (let age = 5; age < 55; age++) logged.push(await log(`${age}`, age * 1_000));
    return { logged, first: await read() };
  };

  it('counts what the container knows, and reads only the rest', async () => {
    const { first } = await busy();
    await log('new');
    const queries: object[] = [];
    const second = await readLog(watchedTable(queries), scope);
    expect([idsIn(second).length, idsIn(second).at(-1), second.view === first.view]).toEqual([51, 'new', true]);
    expect(queries.map((query: { Select?: string }) => query.Select)).toEqual([undefined, 'COUNT']);
    for (const query of queries) expect(query).toMatchObject({ ConsistentRead: true });
  });

  it('has a change that comes late between those that it counts', async () => {
    const { first } = await busy();
    await log('late', 30_500);
    const second = await read();
    expect([idsIn(second).at(-1), second.view === first.view]).toEqual(['late', true]);
    expect((await read()).changes).toBe(second.changes);
  });

  it('opens anew if a restored backup lacks one of those that it counts', async () => {
    const { logged, first } = await busy();
    await removeAll(testTable(), logged.slice(0, 1));
    const after = await read();
    expect([after.changes.length, after.view === first.view]).toEqual([49, false]);
  });
});

describe('requests that read a log at once', () => {
  it('share one read, which begins after all of them', async () => {
    await read();
    const queries: object[] = [];
    const [answered, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const wait = async () => {
      answered.resolve();
      await ended.promise;
    };
    const running = readLog(watchedTable(queries, wait), scope);
    const others = Array.from({ length: 8 }, () => readLog(watchedTable(queries), scope));
    await answered.promise;
    await log('between');
    ended.resolve();
    expect(idsIn(await running)).toEqual([]);
    for (const other of await Promise.all(others)) expect(idsIn(other)).toEqual(['between']);
    expect(queries).toHaveLength(2);
  });

  it('do not wait for a read that hangs', async () => {
    await read();
    const ended = Promise.withResolvers<void>();
    const running = readLog(
      watchedTable([], () => ended.promise),
      scope,
    );
    await log('meanwhile');
    expect(idsIn(await read())).toEqual(['meanwhile']);
    ended.resolve();
    expect((await running).view).toBe((await read()).view);
  });

  it('read it themselves if the time of the one that began is up', async () => {
    await read();
    const running = read();
    const [late, inTime] = await Promise.allSettled([
      readLog(watchedTable([], undefined, AbortSignal.abort()), scope),
      read(),
      running,
    ]);
    expect(late).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) });
    expect(inTime).toMatchObject({ status: 'fulfilled' });
  });
});

describe('a transaction with a change', () => {
  const record = () => ({ Put: { Item: { ...keys.record(scope.workspaceId, 'form', 'f'), record: '{}' } } });

  it('logs it, and a refused one does not', async () => {
    await transactLogged(testTable(), scope, { record: record() }, [tea]);
    const isNew = { ...record().Put, ConditionExpression: 'attribute_not_exists(pk)' };
    await expect(transactLogged(testTable(), scope, { record: { Put: isNew } }, [tea])).rejects.toThrow('condition');
    expect((await read()).changes).toEqual([expect.objectContaining(tea)]);
  });

  it('logs it in so few bytes that a minute of 20 changes a second is 60 read units', async () => {
    const id = `ent_${randomUUID().replaceAll('-', '')}`;
    const entry = { kind: 'cmsEntry', modelId: 'articles', id, createdAt: new Date().toISOString() } as const;
    const revisions = { revision: randomUUID(), before: randomUUID(), sameRow: true } as const;
    await transactLogged(testTable(), { workspaceId: 'ws_coffee' }, {}, [{ ...entry, ...revisions }]);
    const item = (await readLog(testTable(), { workspaceId: 'ws_coffee' })).changes.at(-1) as LoggedChange;
    const bytes = Object.entries(item).reduce((sum, [name, value]) => sum + name.length + String(value).length, 0);
    expect((1_200 * bytes) / 4_096).toBeLessThanOrEqual(60);
    expect(shownChanges([item], { revision: revisions.revision, readAt: Date.now() })(item)).toBe(true);
    expect(shownChanges([item], { revision: revisions.before, readAt: Date.now() })(item)).toBe(false);
  });

  it('logs it again under a new id if the container slept, before it is acknowledged', async () => {
    const client = tableClient();
    const call: TableClient['call'] = async (operation, input, signal) => {
      const output = await client.call(operation, input, signal);
      if (operation === 'TransactWriteItems') wait(2 * minutes);
      return output;
    };
    await read();
    const sleepy = new Table({ client: { ...client, call }, name: testTable().name });
    await transactLogged(sleepy, scope, { record: record() }, [tea]);
    expect(idsIn(await read())).toEqual(['tea', 'tea']);
  });
});

describe('a record that the log names', () => {
  const change = (revision: string | null, before?: string, age = 0): LoggedChange => ({
    ...keys.loggedChange('ws', `${idAt(Date.now() - age)}${revision}`),
    ...tea,
    revision,
    ...(before !== undefined && { before }),
  });
  const has = (each: LoggedChange, changes: LoggedChange[], revision: string | null) =>
    shownChanges(changes, { revision, readAt: Date.now() })(each);

  it('has a change with its revision, and all that this one has replaced', () => {
    const changes = [change('three', 'two'), change('one'), change('two', 'one')];
    expect(changes.map((each) => has(each, changes, 'three'))).toEqual([true, true, true]);
    expect(changes.map((each) => has(each, changes, 'two'))).toEqual([false, true, true]);
    expect(changes.map((each) => has(each, changes, 'before'))).toEqual([false, false, false]);
  });

  it('has its removal, and what came before it', () => {
    const changes = [change('one'), change(null, 'one')];
    expect(changes.map((each) => has(each, changes, null))).toEqual([true, true]);
    expect(changes.map((each) => has(each, changes, 'one'))).toEqual([true, false]);
  });

  it('has every change that had ended when it was read', () => {
    const old = change('unknown', undefined, 2 * windowMilliseconds);
    expect(has(old, [old], 'other')).toBe(true);
    const readAt = Date.now() - 3 * windowMilliseconds;
    expect(shownChanges([old], { revision: 'other', readAt })(old)).toBe(false);
  });

  it('has the chain of a busy day, in work that grows with its length alone', () => {
    const changes = Array.from({ length: 50_000 }, (_, index) =>
      change(`r${index}`, index ? `r${index - 1}` : 'first'),
    );
    const shown = (revision: string) => changes.filter(shownChanges(changes, { revision, readAt: Date.now() })).length;
    expect(shown('r49999')).toBe(50_000);
    expect(shown('r49')).toBe(50);
    expect(shown('first')).toBe(0);
  });

  it('has both removals of a record that was made again in between', () => {
    const changes = [change(null, 'one'), change('two'), change(null, 'two')];
    expect(changes.map((each) => has(each, changes, null))).toEqual([true, true, true]);
  });

  it('is found by its kind, database and id', () => {
    const other = { ...change('one'), id: 'rice' };
    const log = { changes: [change('one'), other, { ...other, kind: 'cmsEntry' as const, modelId: 'm' }] };
    expect(changesOf(log, { kind: 'menuProduct', id: 'rice' })).toEqual([other]);
    expect(changesOf(log, { kind: 'cmsEntry', modelId: 'n', id: 'rice' })).toEqual([]);
  });
});
