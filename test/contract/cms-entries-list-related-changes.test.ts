import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { friendField, guestsCalled, guestsQuery, ids, openGuests, tables } from '#test/support/guests.ts';
import { load } from '#test/support/world.ts';

const { keys, document, labels, rename, warm } = await openGuests();
const { workspace } = document;

describe('a related entry in a list', () => {
  it('shows an update in the next answer, at every depth', async () => {
    for (let round = 0; round < 20; round++) {
      await warm();
      const id = ids[round % ids.length] ?? '';
      expect((await rename(id, `round ${round}`)).status).toBe(200);
      const { json } = await call(`GET ${tables}/list?${guestsQuery}`, { key: keys.reader });
      const all = json[0].guests.flatMap(
        ({ label: text, friend }: { label: string; friend: { label: string } | null }) => [text, friend?.label],
      );
      expect(all.filter((text: string) => text === `round ${round}`)).toHaveLength(round % ids.length === 5 ? 1 : 2);
    }
  });

  it('shows an import in the next answer', async () => {
    for (const text of ['first', 'second', 'third']) {
      await warm();
      await load({ version: 1, workspace, cms: { entries: guestsCalled(text) } });
      expect(await labels()).toEqual(ids.map((_, index) => `${text} ${index}`));
    }
  });

  it('shows updates of a database that an imported database relates to', async () => {
    const hosts = {
      id: 'hosts',
      name: { en: 'Hosts' },
      fields: [{ ...friendField, relation: { to: 'cms:loners', many: false } }],
    };
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
