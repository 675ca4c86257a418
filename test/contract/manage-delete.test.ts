import { describe, expect, it } from '@jest/globals';
import { listEvents } from '#lib/access/audit-log.ts';
import { exported } from '#test/support/document-text.ts';
import { testedKinds } from '#test/support/manage-kinds.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const kitchen = await openWorkspace('records');
const other = await openWorkspace('records');

describe.each(testedKinds.map((tested) => [tested.kind, tested] as const))(
  'DELETE %s',
  (kind, { stored, used, listOf, fresh }) => {
    it('removes a record, in this workspace only', async () => {
      const kept = await kitchen.manage(`DELETE ${kind}/${stored}`, undefined, { headers: { 'if-match': '"old"' } });
      expect(kept.status).toBe(412);
      const { status, text, headers } = await kitchen.manage(`DELETE ${kind}/${stored}`);
      expect([status, text, headers['content-type']]).toEqual([204, '', undefined]);
      expect((await kitchen.manage(`GET ${kind}/${stored}`)).status).toBe(404);
      expect((await kitchen.manage(`DELETE ${kind}/${stored}`)).status).toBe(404);
      expect(listOf(await exported(kitchen.workspaceId)).map(({ id }) => id)).not.toContain(stored);
      expect((await other.manage(`GET ${kind}/${stored}`)).status).toBe(200);
      const { data: events } = await listEvents(testTable(), kitchen, { recordKind: kind, recordId: stored, limit: 5 });
      expect(events).toMatchObject([{ action: 'delete', changed: [] }]);
    });

    it('frees the names of the record', async () => {
      const { json } = await kitchen.manage(`POST ${kind}`, fresh(`freed-${kind}`));
      await kitchen.manage(`DELETE ${kind}/${json.id}`);
      expect((await kitchen.manage(`POST ${kind}`, fresh(`freed-${kind}`))).status).toBe(201);
    });

    if (used) {
      it('keeps a record that others refer to, and names them', async () => {
        const [id, referrer] = used;
        const { status, json } = await other.manage(`DELETE ${kind}/${id}`);
        expect([status, json.code]).toEqual([409, 'in_use']);
        expect(json.errors[0]).toMatchObject({ path: expect.any(String), code: 'in_use' });
        expect(json.errors.map(({ path }: { path: string }) => path)).toContain(referrer);
        expect((await other.manage(`DELETE ${kind}/${id}`, undefined, { headers: { 'if-match': '"x"' } })).status).toBe(
          412,
        );
      });
    }
  },
);

it('a refused DELETE /manage/{kind}/{id} names at most 20 referring records', async () => {
  const full = await openWorkspace('records', (document) => {
    document.menu.products = Array.from({ length: 25 }, (_, index) => ({
      id: `p${index}`,
      slug: `p${index}`,
      name: { en: `p${index}` },
      categoryId: 'cat_1',
    }));
  });
  expect((await full.manage('DELETE menu-categories/cat_1')).json.errors).toHaveLength(20);
});
