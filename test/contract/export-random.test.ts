import { beforeAll, expect, it } from '@jest/globals';
import { expectExportRoundTrip } from '#test/support/export-round-trip.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { RandomWorkspace } from '#test/support/random-workspace.ts';

beforeAll(openOwnTable);

it('an export imports again and is the same after random writes, removals and imports (seed 1)', async () => {
  const workspace = new RandomWorkspace(1);
  await workspace.open();
  for (let step = 1; step <= 30; step++) {
    await workspace.step();
    if (step % 15 === 0) await expectExportRoundTrip(workspace.workspaceId, workspace.steps);
  }
  expect(workspace.steps.length).toBeGreaterThan(15);
});
