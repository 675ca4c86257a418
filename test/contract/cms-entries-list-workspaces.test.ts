import { describe, expect, it } from '@jest/globals';
import { withoutRequestId } from '#test/support/answers.ts';
import { type Answer, call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

/** A kitchen with a database, an entry, a field and a product that the other kitchen lacks. */
const other = await openWorkspace('kitchen', ({ cms, menu }) => {
  cms.models.push({ id: 'theirs', name: { en: 'Theirs' }, fields: [] });
  cms.models[0].fields.push({ key: 'theirField', name: { en: 'TheirField' }, type: 'text' });
  cms.entries.push({ id: 'item', modelId: 'theirs', values: {} });
  cms.entries.push({ ...cms.entries[0], id: 'chef_theirs' });
  menu.products.push({ ...menu.products[0], id: 'prod_theirs', slug: 'theirs' });
});

/** A kitchen with relations to records that only the other kitchen has. */
const own = await openWorkspace('kitchen', ({ cms }) => {
  cms.models[0].fields.push({
    key: 'their',
    name: { en: 'Their' },
    type: 'relation',
    relation: { to: 'cms:theirs', many: true },
  });
  const [{ values }] = cms.entries;
  Object.assign(values, { mentor: 'chef_theirs', signature: ['prod_theirs', 'prod_1'], their: ['item'] });
});

const get = (address: string, key: string) => call(`GET /api/public/cms/${address}`, { key });

const addresses = [
  'chefs/list?maxDepth=6',
  'chefs/list?maxDepth=6&includeHidden=true',
  'chefs/list?limit=1&offset=4',
  'things/list?maxDepth=6',
  'chefs/chef_1',
  'chefs/chef_5?maxDepth=6&includeHidden=true',
  'things/thing_1',
];

describe('two workspaces with the same ids', () => {
  it.each(addresses)('%s shows each workspace its own data only, in any order of calls', async (address) => {
    for (const key of ['editor', 'chief', 'editor'] as const) {
      const [left, right] = await Promise.all([get(address, own.keys[key]), get(address, other.keys[key])]);
      expect([left.status, right.status]).toEqual([200, 200]);
      expect(left.text).toContain(own.canary);
      expect(right.text).toContain(other.canary);
      expect(left.text + JSON.stringify(left.headers)).not.toContain(other.canary);
      expect(right.text + JSON.stringify(right.headers)).not.toContain(own.canary);
    }
  });

  it('count their own entries', async () => {
    const totals = await Promise.all([own, other].map(({ keys }) => get('chefs/list', keys.editor)));
    expect(totals.map(({ headers }) => headers['x-cms-total'])).toEqual(['5', '6']);
  });

  it('are updated separately', async () => {
    const before = await get('chefs/chef_2', other.keys.chief);
    const body = { values: { joined: '2026-06-01', bio: { en: own.canary } } };
    await call('PATCH /api/public/cms/chefs/chef_2', { key: own.keys.editor, body });
    expect(withoutRequestId(await get('chefs/chef_2', other.keys.chief))).toEqual(withoutRequestId(before));
  });
});

describe('data that only another workspace has', () => {
  it.each<[string, string, string]>([
    ['404 for a database', 'theirs/list', 'absent/list'],
    ['404 for an entry of such a database', 'theirs/item', 'absent/item'],
    ['404 for an entry', 'chefs/chef_theirs', 'chefs/chef_absent'],
    ['400 for a field', 'chefs/list?fields=theirField', 'chefs/list?fields=notAField'],
  ])('%s, byte for byte as for an unknown id', async (_, theirs, absent) => {
    expect((await get(theirs, other.keys.editor)).status).toBe(200);
    const [left, right] = await Promise.all([get(theirs, own.keys.editor), get(absent, own.keys.editor)]);
    const unnamed = (answer: Answer) =>
      JSON.stringify(withoutRequestId(answer)).replaceAll(/theirField|notAField/g, 'it');
    expect(left.status).toBeGreaterThanOrEqual(400);
    expect(unnamed(left)).toBe(unnamed(right));
  });

  it.each(['PATCH', 'PUT'])('404 for an update by %s, as for an unknown entry', async (method) => {
    const update = (id: string) =>
      call(`${method} /api/public/cms/chefs/${id}`, { key: own.keys.editor, body: { values: { joined: null } } });
    const [left, right] = await Promise.all([update('chef_theirs'), update('chef_absent')]);
    expect(left.status).toBe(404);
    expect(withoutRequestId(left)).toEqual(withoutRequestId(right));
  });

  it('is no target of a relation', async () => {
    const { json } = await get('chefs/chef_1?maxDepth=2', own.keys.chief);
    expect(json).toMatchObject({ mentor: null, their: [], signature: [{ id: 'prod_1' }] });
    expect(json.signature).toHaveLength(1);
  });

  it.each(['chefs%23id', `chefs%2F..%2F..`, 'chefs/..%2F..%2Ftheirs%2Flist', `x%23${other.workspaceId}`])(
    '404 for %s, which addresses no other workspace',
    async (path) => {
      const { status, text } = await get(`${path}/list`, own.keys.editor);
      expect(status).toBe(404);
      expect(text).not.toContain(other.canary);
    },
  );
});
