import { beforeAll, describe, expect, it } from '@jest/globals';
import { removeAll } from '#lib/table/dynamodb/write-all.ts';
import { keys } from '#lib/table/keys.ts';
import type { Item } from '#lib/table/schema.ts';
import { call } from '#test/support/call.ts';
import { everyKind, linaSecret, newWorkspaceId, siteSecret } from '#test/support/every-kind.ts';
import { KillableTable } from '#test/support/killable-table.ts';
import { allItems, comparable, openOwnTable, restoreItems } from '#test/support/own-table.ts';
import { type Document, importFile, load, testTable } from '#test/support/world.ts';

const workspaceId = newWorkspaceId();
const began = new Date().toISOString();
const newSecret = 'another-secret-of-the-key';

/** A document with the kinds that are found by id, name or secret, without those of lists. */
function found(): Document {
  const { cms, menu, ...document } = everyKind(workspaceId);
  return document;
}

/** The same with every kind of change. With prune, it removes a record of every kind. */
function changed(): Document {
  const document = found();
  const [lina] = document.members;
  const [site, linas] = document.apiKeys;
  document.workspace.name = 'Renamed';
  document.members = [{ ...lina, active: false }];
  document.apiKeys = [
    { ...site, secret: newSecret },
    { ...linas, permissions: [] },
    { id: 'key_new', name: 'New', secret: 'secret-of-the-new-key', memberId: 'mem_lina' },
  ];
  const [contact, other] = document.forms;
  document.forms = [
    { ...contact, slug: other.slug },
    { ...other, slug: contact.slug },
    { ...other, id: 'form_3', slug: 'form-3' },
  ];
  const { messaging } = document;
  messaging.channels = [{ ...messaging.channels[0], identifier: 'new.example' }];
  const [first, second] = messaging.messages;
  messaging.messages = [
    { ...first, conversationId: 'conv_2' },
    { ...second, text: 'Changed' },
    { id: 'msg_4', conversationId: 'conv_1', senderType: 'system', text: 'New' },
  ];
  document.formResponses.push({ id: 'res_2', formId: 'form_3' });
  return document;
}

const statusOf = async (secret: string) => (await call('GET /api/public/cms/none/list', { key: secret })).status;

let before: Item[];

beforeAll(async () => {
  await openOwnTable();
  await load(found());
  before = await allItems();
});

describe('an import that is killed between two writes', () => {
  it('accepts one of the old and new secrets, and is completed by the next import', async () => {
    const options = { prune: true };
    const whole = new KillableTable();
    expect((await importFile(changed(), options, whole.table)).failures).toEqual([]);
    const expected = comparable(await allItems(), began);
    for (let writes = 0; writes < whole.writes - 1; writes++) {
      await restoreItems(before);
      await expect(importFile(changed(), options, new KillableTable(writes).table)).rejects.toThrow();
      const statuses = await Promise.all([siteSecret(workspaceId), newSecret].map(statusOf));
      expect(statuses.toSorted()).toEqual([401, 404]);

      // Ends the lease of the killed import.
      await removeAll(testTable(), [keys.importLease(workspaceId)]);
      await load(changed(), options);
      expect({ writes, items: comparable(await allItems(), began) }).toEqual({ writes, items: expected });
      expect(await Promise.all([siteSecret(workspaceId), linaSecret(workspaceId)].map(statusOf))).toEqual([401, 401]);
      expect(await statusOf(newSecret)).toBe(404);
    }
  }, 900_000);
});
