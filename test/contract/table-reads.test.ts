import { describe, expect, it } from '@jest/globals';
import { keys } from '#lib/table/keys.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const { workspaceId } = await openWorkspace('kitchen');
const key = keys.cmsEntryPointer(workspaceId, 'things', 'thing_1');

describe('reads of the table', () => {
  it('become one read when they are repeated before it has begun', async () => {
    const table = testTable();
    const before = table.get(key);
    table.evict(key);
    const [first, second, other] = await Promise.all([before, table.get(key), table.get(keys.workspace(workspaceId))]);
    expect(first).toMatchObject(key);
    expect(second).toEqual(first);
    expect(other).toMatchObject(keys.workspace(workspaceId));
  });
});
