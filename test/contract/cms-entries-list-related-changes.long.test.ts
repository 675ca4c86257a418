import { describe, expect, it } from '@jest/globals';
import { removeAll } from '#lib/table/dynamodb/write-all.ts';
import { keys as tableKeys } from '#lib/table/keys.ts';
import { call } from '#test/support/call.ts';
import { guestsCalled, guestsQuery, ids, openGuests, tables } from '#test/support/guests.ts';
import { KillableTable } from '#test/support/killable-table.ts';
import { importFile, testTable } from '#test/support/world.ts';

const { keys, document, workspaceId, labels, rename, warm } = await openGuests();
const { workspace } = document;

describe('a related entry in a list', () => {
  it('is never older than an answered update, during concurrent reads and writes', async () => {
    const counts = new Map(ids.map((id) => [id, 0]));
    let isOver = false;
    const writers = ids.map(async (id) => {
      for (let count = 1; count <= 25; count++) {
        if ((await rename(id, `${count}`)).status === 200) counts.set(id, count);
      }
    });
    const readers = Array.from({ length: 4 }, async (_, reader) => {
      while (!isOver) {
        const answered = new Map(counts);
        const seen = await labels(reader % 2 === 0 ? undefined : `${tables}/table?${guestsQuery}`);
        for (const [index, id] of ids.entries()) {
          const least = answered.get(id) ?? 0;
          if (least > 0) expect(Number(seen[index])).toBeGreaterThanOrEqual(least);
        }
      }
    });
    await Promise.all(writers).finally(() => {
      isOver = true;
    });
    await Promise.all(readers);
    expect(await labels()).toEqual(ids.map((id) => `${counts.get(id)}`));
  });

  it('matches the stored record wherever an import stops, also after later updates', async () => {
    const importing = (text: string, table?: KillableTable) =>
      importFile({ version: 1, workspace, cms: { entries: guestsCalled(text) } }, {}, table?.table);
    const whole = new KillableTable();
    await importing('whole', whole);
    for (let writes = 0; writes < whole.writes - 1; writes++) {
      await warm();
      await importing(`killed ${writes}`, new KillableTable(writes)).catch(() => undefined);
      // Otherwise the next import waits until the dead one's lease ends.
      await removeAll(testTable(), [tableKeys.importLease(workspaceId)]);
      for (const update of ['once', 'twice', 'thrice']) {
        const stored = await call('GET /api/public/cms/guests/list?fields=id,label', { key: keys.reader });
        const byId = new Map(stored.json.map((guest: { id: string; label: string }) => [guest.id, guest.label]));
        expect(await labels()).toEqual(ids.map((id) => byId.get(id)));
        await rename('guest_3', `${update} ${writes}`);
        expect((await labels())[3]).toBe(`${update} ${writes}`);
        await warm();
      }
      await importing(`mended ${writes}`);
      expect(await labels()).toEqual(ids.map((_, index) => `mended ${writes} ${index}`));
    }
  });
});
