import { beforeAll, describe, expect, it } from '@jest/globals';
import { type TableClient, tableClient } from '#lib/table/dynamodb/client.ts';
import { Forms } from '#lib/table/forms/forms.ts';
import { keys } from '#lib/table/keys.ts';
import type { Item } from '#lib/table/schema.ts';
import { Table } from '#lib/table/table.ts';
import { call } from '#test/support/call.ts';
import { newWorkspaceId } from '#test/support/every-kind.ts';
import { KillableTable } from '#test/support/killable-table.ts';
import { allItems, openOwnTable, restoreItems } from '#test/support/own-table.ts';
import { type Document, importFile, load, testTable } from '#test/support/world.ts';

const workspaceId = newWorkspaceId();
const apiKey = `reader-of-${workspaceId}`;

/** Forms by id, each with its slug. */
const withSlugs = (slugs: Readonly<Record<string, string>>): Document => ({
  version: 1,
  workspace: { id: workspaceId, name: 'Renaming', languages: ['en'], defaultLanguage: 'en' },
  apiKeys: [{ id: 'key_reader', name: 'Reader', secret: apiKey, permissions: ['forms:form:read'] }],
  forms: Object.entries(slugs).map(([id, slug]) => ({ id, slug, title: { en: slug } })),
});

const before = { form_a: 'one', form_b: 'two', form_c: 'three', form_d: 'four' };

async function idBehind(slug: string): Promise<string | number> {
  const { status, json } = await call(`GET /api/public/forms/${slug}?apiKey=${apiKey}`);
  if (status === 200) expect(json.slug).toBe(slug);
  return status === 200 ? json.id : status;
}

beforeAll(openOwnTable);

describe('an import that moves slugs between forms', () => {
  let stored: Item[];
  beforeAll(async () => {
    await load(withSlugs(before));
    stored = await allItems();
  });

  it.each([
    ['two forms exchange theirs', { form_a: 'two', form_b: 'one' }, false],
    ['three forms exchange theirs in a circle', { form_a: 'two', form_b: 'three', form_c: 'one' }, false],
    ['forms move on in a row', { form_a: 'two', form_b: 'three', form_c: 'five' }, false],
    ['a new form gets one', { form_a: 'five', form_e: 'one' }, false],
    ['a form gets the slug of a deleted one', { form_a: 'four', form_b: 'two', form_c: 'three' }, true],
  ])('finds a form for each slug between any two writes: %s', async (_, changes, prune) => {
    const after: Record<string, string> = prune ? changes : { ...before, ...changes };
    const lasting = Object.values(before).filter((slug) => Object.values(after).includes(slug));
    const owners = (slugs: object) => new Map(Object.entries(slugs).map(([id, slug]) => [slug, id]));
    const whole = new KillableTable();
    await restoreItems(stored);
    await importFile(withSlugs(changes), { prune }, whole.table);
    for (const [slug, id] of owners(after)) expect([slug, await idBehind(slug)]).toEqual([slug, id]);
    for (let writes = 0; writes < whole.writes; writes++) {
      await restoreItems(stored);
      await importFile(withSlugs(changes), { prune }, new KillableTable(writes).table).catch(() => undefined);
      for (const slug of lasting) {
        expect([owners(before).get(slug), owners(after).get(slug)]).toContain(await idBehind(slug));
      }
    }
  });

  it('is visible as a whole to a reader that reads the slug before and the form after it', async () => {
    await restoreItems(stored);
    const client = tableClient();
    const slugKey = keys.slug(workspaceId, 'form', 'one');
    let isSwapped = false;
    const call: TableClient['call'] = async (operation, input, signal) => {
      const answer = await client.call(operation, input, signal);
      if (isSwapped || !JSON.stringify(input).includes(`"${slugKey.sk}"`)) return answer;
      isSwapped = true;
      await load(withSlugs({ form_a: 'two', form_b: 'one' }));
      return answer;
    };
    const table = new Table({ client: { ...client, call }, name: testTable().name });
    expect(await new Forms(table, { workspaceId }).findBySlug('one')).toMatchObject({ id: 'form_b', slug: 'one' });
  });
});
