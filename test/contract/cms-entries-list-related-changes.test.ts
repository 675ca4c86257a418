import { describe, expect, it } from '@jest/globals';
import { keys as tableKeys } from '#lib/table/keys.ts';
import { call } from '#test/support/call.ts';
import { DyingTable } from '#test/support/dying-table.ts';
import { openKitchen } from '#test/support/kitchen.ts';
import { importFile, load, testTable } from '#test/support/world.ts';

const ids = Array.from({ length: 6 }, (_, index) => `guest_${index}`);
const toGuest = { key: 'friend', name: {}, type: 'relation', relation: { to: 'cms:guests', many: false } };
const label = { key: 'label', name: {}, type: 'text' };
const guests = { id: 'guests', name: {}, fields: [label, toGuest] };
const loners = { id: 'loners', name: {}, fields: [label] };

/** Tables hold guests, and each guest is the friend of the one before. */
const { keys, document, workspaceId } = await openKitchen(({ cms }) => {
  const many = { key: 'guests', name: {}, type: 'relation', relation: { to: 'cms:guests', many: true } };
  cms.models.push(guests, loners, { id: 'tables', name: {}, fields: [many] });
  cms.entries.push(...guestsCalled('before'), { id: 'table', modelId: 'tables', values: { guests: ids } });
  cms.entries.push({ id: 'loner', modelId: 'loners', values: { label: 'before' } });
});
const { workspace } = document;

function guestsCalled(text: string) {
  return ids.map((id, index) => ({
    id,
    modelId: 'guests',
    values: { label: `${text} ${index}`, friend: ids[index - 1] ?? null },
  }));
}

const tables = '/api/public/cms/tables';
const shown = 'fields=guests(label,friend(label))';

async function labels(path = `${tables}/list?${shown}`): Promise<string[]> {
  const { json } = await call(`GET ${path}`, { key: keys.reader });
  return [json].flat()[0].guests.map((guest: { label: string }) => guest.label);
}

async function warm(): Promise<void> {
  for (let times = 0; times < 4; times++) await Promise.all([labels(), labels(`${tables}/table?${shown}`)]);
}

const rename = (id: string, text: string) =>
  call(`PATCH /api/public/cms/guests/${id}?fields=id`, { key: keys.chief, body: { values: { label: text } } });

describe('what a list shows of related entries', () => {
  it('is in the very next answer what an update has made of them, on every level', async () => {
    for (let round = 0; round < 20; round++) {
      await warm();
      const id = ids[round % ids.length] ?? '';
      expect((await rename(id, `round ${round}`)).status).toBe(200);
      const { json } = await call(`GET ${tables}/list?${shown}`, { key: keys.reader });
      const all = json[0].guests.flatMap(
        ({ label: text, friend }: { label: string; friend: { label: string } | null }) => [text, friend?.label],
      );
      expect(all.filter((text: string) => text === `round ${round}`)).toHaveLength(round % ids.length === 5 ? 1 : 2);
    }
  });

  it('is never older than an update that was answered before, whatever else is read and written meanwhile', async () => {
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
        const seen = await labels(reader % 2 === 0 ? undefined : `${tables}/table?${shown}`);
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

  it('is in the very next answer what an import has made of them', async () => {
    for (const text of ['first', 'second', 'third']) {
      await warm();
      await load({ version: 1, workspace, cms: { entries: guestsCalled(text) } });
      expect(await labels()).toEqual(ids.map((_, index) => `${text} ${index}`));
    }
  });

  it('is what is stored, wherever an import stops, and whatever is updated then', async () => {
    const importing = (text: string, table?: DyingTable) =>
      importFile({ version: 1, workspace, cms: { entries: guestsCalled(text) } }, {}, table?.table);
    const whole = new DyingTable();
    await importing('whole', whole);
    for (let writes = 0; writes < whole.writes - 1; writes++) {
      await warm();
      await importing(`killed ${writes}`, new DyingTable(writes)).catch(() => undefined);
      // Else the next import waits until the lease of the dead one ends.
      await testTable().write([{ remove: tableKeys.importLease(workspaceId) }]);
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

  it('follows a database that others have come to relate to', async () => {
    const hosts = { id: 'hosts', name: {}, fields: [{ ...toGuest, relation: { to: 'cms:loners', many: false } }] };
    const host = { id: 'host', modelId: 'hosts', values: { friend: 'loner' } };
    await load({ version: 1, workspace, cms: { models: [hosts], entries: [host] } });
    const path = '/api/public/cms/hosts/host?fields=friend(label)';
    for (const text of ['one', 'two', 'three']) {
      const body = { values: { label: text } };
      expect((await call('PATCH /api/public/cms/loners/loner', { key: keys.chief, body })).status).toBe(200);
      for (let times = 0; times < 3; times++) {
        expect((await call(`GET ${path}`, { key: keys.reader })).json.friend.label).toBe(text);
      }
    }
  });
});
