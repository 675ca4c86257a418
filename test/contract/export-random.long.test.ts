import { beforeAll, expect, it } from '@jest/globals';
import { expectExportRoundTrip } from '#test/support/export-round-trip.ts';
import { openOwnTable, restoreItems } from '#test/support/own-table.ts';
import { RandomWorkspace } from '#test/support/random-workspace.ts';

const seeds = Array.from({ length: Number(process.env['EXPORT_SEEDS'] ?? 12) }, (_, index) => index + 1);

beforeAll(openOwnTable);

it.each(seeds)(
  'an export imports again and is the same after 120 random writes: seed %d',
  async (seed) => {
    await restoreItems([]);
    const workspace = new RandomWorkspace(seed);
    await workspace.open();
    for (let step = 1; step <= 120; step++) {
      await workspace.step();
      if (step % 6 === 0) await expectExportRoundTrip(workspace.workspaceId, workspace.steps);
    }
    expect(workspace.steps.length).toBeGreaterThan(60);
  },
  120_000,
);
