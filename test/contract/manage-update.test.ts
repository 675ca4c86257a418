import { describe, expect, it } from '@jest/globals';
import { listEvents } from '#lib/access/audit-log.ts';
import { call } from '#test/support/call.ts';
import { testedKinds } from '#test/support/manage-kinds.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const kitchen = await openWorkspace('records');
const other = await openWorkspace('records');

describe.each(testedKinds.map((tested) => [tested.kind, tested] as const))(
  'PATCH %s',
  (kind, { stored, patch, changed }) => {
    it('changes the members of the body, in either media type, and records their paths', async () => {
      const before = await kitchen.manage(`GET ${kind}/${stored}`);
      const headers = { 'content-type': 'application/merge-patch+json' };
      const { status, json, headers: answered } = await kitchen.manage(`PATCH ${kind}/${stored}`, patch, { headers });
      expect(status).toBe(200);
      expect(answered['etag']).not.toBe(before.headers['etag']);
      expect({ ...before.json, ...json }).toEqual(json);
      const { data: events } = await listEvents(testTable(), kitchen, { recordKind: kind, recordId: stored, limit: 5 });
      expect(events).toMatchObject([{ action: 'update', changed }]);
      expect((await other.manage(`GET ${kind}/${stored}`)).text).toBe(before.text);
    });

    it('changes nothing, and records no event, without a difference', async () => {
      const { text, headers } = await kitchen.manage(`GET ${kind}/${stored}`);
      const { status, text: same, headers: answered } = await kitchen.manage(`PATCH ${kind}/${stored}`, {});
      expect([status, same, answered['etag']]).toEqual([200, text, headers['etag']]);
      const { data: events } = await listEvents(testTable(), kitchen, { recordKind: kind, recordId: stored, limit: 5 });
      expect(events).toHaveLength(1);
    });

    it('refuses null for a required member, another id, an old ETag and an absent record', async () => {
      const patchWith = (body: object, headers: Record<string, string> = {}, id = stored) =>
        kitchen.manage(`PATCH ${kind}/${id}`, body, { headers });
      const nulled = await patchWith({ id: null });
      expect([nulled.status, nulled.json.errors[0].path]).toEqual([400, 'id']);
      expect((await patchWith({ id: 'another' })).json.errors).toMatchObject([{ path: 'id', code: 'not_allowed' }]);
      const old = await patchWith(patch, { 'if-match': '"old"' });
      expect([old.status, old.json.code]).toEqual([412, 'precondition_failed']);
      expect((await patchWith(patch, {}, 'nobody')).status).toBe(404);
    });

    it('repeats its first answer before it checks If-Match', async () => {
      const { headers } = await kitchen.manage(`GET ${kind}/${stored}`);
      const keyed = { 'idempotency-key': 'p', 'if-match': headers['etag'] ?? '' };
      const first = await kitchen.manage(`PATCH ${kind}/${stored}`, {}, { headers: keyed });
      const again = await kitchen.manage(`PATCH ${kind}/${stored}`, {}, { headers: { ...keyed, 'if-match': '"x"' } });
      expect([again.status, again.text]).toEqual([200, first.text]);
    });
  },
);

it('PATCH /manage/{kind}/{id} never replaces null by a default: published, soldout, images', async () => {
  const body = { published: null, soldout: null, images: null, barcode: null, createdAt: null };
  const { status, json } = await kitchen.manage('PATCH menu-products/prod_2', body);
  expect([status, json.errors.map(({ path }: { path: string }) => path).sort()]).toEqual([
    400,
    ['createdAt', 'images', 'published', 'soldout'],
  ]);
});

it('PATCH /manage/{kind}/{id} removes a language, and an optional property', async () => {
  const { json } = await kitchen.manage('PATCH menu-products/prod_2', { name: { ar: null } });
  expect(json.name).toEqual({ en: 'Dish 2' });
  await kitchen.manage('PATCH agents/agent_1', { tools: ['get_form'] });
  expect((await kitchen.manage('PATCH agents/agent_1', { tools: null })).json).not.toHaveProperty('tools');
});

it('PATCH /manage/{kind}/{id} refuses __proto__ at any depth', async () => {
  for (const body of ['{"__proto__":{"a":1}}', '{"name":{"__proto__":"x"}}']) {
    const { status, json } = await kitchen.manage('PATCH menu-products/prod_2', body);
    expect([status, json.code]).toEqual([400, 'validation_failed']);
  }
});

it('PATCH /manage/{kind}/{id} lets kitchen staff change availability and nothing else', async () => {
  const patch = (body: object) =>
    call('PATCH /api/v1/manage/menu-products/prod_3', { key: kitchen.secretOf('menu:product:availability'), body });
  expect((await patch({ soldout: true })).json).toMatchObject({ soldout: true });
  const { status, json } = await patch({ soldout: false, published: false });
  expect([status, json.message]).toEqual([403, 'This API key lacks the permission menu:product:manage.']);
  expect((await kitchen.manage('GET menu-products/prod_3')).json).toMatchObject({ soldout: true, published: true });
});

it('PATCH /manage/{kind}/{id} keeps all of many concurrent patches of one record', async () => {
  const languages = ['en', 'ar'];
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      kitchen.manage('PATCH menu-products/prod_1', {
        [['barcode', 'preparationTime', 'intro', 'description'][index % 4] as string]:
          index % 4 < 1 ? `b${index}` : index % 4 < 2 ? index : { [languages[index >> 2] as string]: `t${index}` },
      }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const { json } = await kitchen.manage('GET menu-products/prod_1');
  expect(json).toMatchObject({ intro: { en: 't2', ar: 't6' }, description: { en: 't3', ar: 't7' } });
});
