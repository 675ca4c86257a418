import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { removeAll } from '#lib/table/dynamodb/write-all.ts';
import { type Clock, withImportLease } from '#lib/table/import/import-lease.ts';
import { keys } from '#lib/table/keys.ts';
import { newWorkspaceId } from '#test/support/every-kind.ts';
import { testTable } from '#test/support/world.ts';

const table = testTable();
const hour = 3_600_000;

/** A clock that only pauses advance. @param onTick runs after each pause, with the current time */
function clockOf(onTick: (now: number) => Promise<void>): Clock {
  let now = 1_000;
  return {
    now: () => now,
    pause: async (milliseconds) => {
      now += milliseconds;
      await onTick(now);
    },
  };
}

/** The lease that another import has left. @param wallClockAhead how far the clock of its machine is ahead */
const putLease = (workspaceId: string, renewal: string, wallClockAhead: number) =>
  table.put({ ...keys.importLease(workspaceId), owner: 'another', renewal, until: Date.now() + wallClockAhead });

describe('an import beside another, on machines whose clocks differ', () => {
  it.each([-hour, 0, hour])('waits as long as the other renews its lease (%d ms ahead)', async (ahead) => {
    const workspaceId = newWorkspaceId();
    await putLease(workspaceId, randomUUID(), ahead);
    const endAt = 60_000;
    const clock = clockOf(async (now) => {
      if (now < endAt && now % 5_000 === 0) await putLease(workspaceId, randomUUID(), ahead);
      if (now === endAt) await removeAll(table, [keys.importLease(workspaceId)]);
    });
    let waits = 0;
    const startedAt = await withImportLease(
      table,
      workspaceId,
      async () => clock.now(),
      () => waits++,
      clock,
    );
    expect(startedAt).toBeGreaterThanOrEqual(endAt);
    expect(waits).toBe(1);
  });

  it.each([-hour, 0, hour])('takes over 20 s after the last renewal that it has seen (%d ms ahead)', async (ahead) => {
    const workspaceId = newWorkspaceId();
    await putLease(workspaceId, 'first', ahead);
    const renewedAt = 11_000;
    const clock = clockOf(async (now) => {
      if (now === renewedAt) await putLease(workspaceId, 'last', ahead);
    });
    const startedAt = await withImportLease(
      table,
      workspaceId,
      async () => clock.now(),
      () => undefined,
      clock,
    );
    expect(startedAt).toBeGreaterThanOrEqual(renewedAt + 20_000);
    expect(startedAt).toBeLessThan(renewedAt + 22_000);
    expect(await table.get(keys.importLease(workspaceId))).toBeUndefined();
  });
});

describe('of several imports that wait for one that has died', () => {
  it('of several imports that wait for one that has died, one takes over, and the others wait for it', async () => {
    const workspaceId = newWorkspaceId();
    await putLease(workspaceId, 'last', 0);
    let running = 0;
    const run = async () => {
      running++;
      expect(running).toBe(1);
      await table.uncached().get(keys.importLease(workspaceId));
      running--;
    };
    // Each import has a separate clock. The real pauses let the running one take the time of many reads of the others.
    const waiting = Array.from({ length: 3 }, () =>
      withImportLease(
        table,
        workspaceId,
        run,
        () => undefined,
        clockOf(() => pause(5)),
      ),
    );
    await Promise.all(waiting);
  });
});
