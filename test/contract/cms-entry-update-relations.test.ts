import { describe, expect, it } from '@jest/globals';
import { issuesOf } from '#test/support/answers.ts';
import { type Answer, call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

const many = Array.from({ length: 1_001 }, (_, index) => `extra_${index}`);
const kitchen = await openWorkspace('kitchen', (document) => {
  for (const id of many) document.cms.entries.push({ id, modelId: 'things', values: { title: id } });
  const relations = { few: 'cms:things', lost: 'cms:nowhere', dishes: 'menu:product' };
  for (const [field, to] of Object.entries(relations)) {
    document.cms.models[0].fields.push({
      key: field,
      name: { en: field },
      type: 'relation',
      relation: { to, many: field === 'few' },
    });
  }
});
const other = await openWorkspace('kitchen', (document) => {
  document.cms.entries.push({ id: 'chef_theirs', modelId: 'chefs', values: { name: { en: 'Theirs' } } });
  document.menu.products.push({ ...document.menu.products[0], id: 'prod_theirs', slug: 'theirs' });
});
const key = kitchen.keys.editor;
const path = '/api/public/cms/chefs/chef_1?maxDepth=0';
const update = (values: object, secret = key) => call(`PATCH ${path}`, { key: secret, body: { values } });
const read = async () => (await call(`GET ${path}`, { key })).text;

describe('a relation', () => {
  it.each<[string, unknown, unknown]>([
    ['mentor', 'chef_3', { id: 'chef_3' }],
    ['mentor', 'chef_1', { id: 'chef_1' }],
    ['mentor', 'chef_4', { id: 'chef_4' }],
    ['mentor', null, null],
    ['friends', ['chef_5', 'chef_2', 'chef_1'], [{ id: 'chef_5' }, { id: 'chef_2' }, { id: 'chef_1' }]],
    ['friends', [], []],
    ['friends', null, []],
    ['likes', 'thing_1', { id: 'thing_1' }],
    ['dishes', 'prod_2', { id: 'prod_2' }],
    ['signature', ['prod_3', 'prod_1'], [{ id: 'prod_3' }, { id: 'prod_1' }]],
    ['few', many.slice(0, 1_000), many.slice(0, 1_000).map((id) => ({ id }))],
  ])('%s accepts existing records: %j', async (field, value, expected) => {
    const { status, json } = await update({ [field]: value });
    expect(status).toBe(200);
    expect(json[field]).toEqual(expected);
    expect(JSON.parse(await read())[field]).toEqual(expected);
  });

  it('replaces the whole list', async () => {
    await update({ friends: ['chef_2', 'chef_3'] });
    expect((await update({ friends: ['chef_4'] })).json.friends).toEqual([{ id: 'chef_4' }]);
  });

  it('may keep a target that has been deleted', async () => {
    const before = (await call('GET /api/public/cms/chefs/chef_2?maxDepth=0&fields=friends', { key })).json;
    const { status, json } = await call('PATCH /api/public/cms/chefs/chef_2?maxDepth=0&fields=friends', {
      key,
      body: { values: { joined: '2026-01-01' } },
    });
    expect(status).toBe(200);
    expect(json).toEqual(before);
  });

  it('accepts records that an import has just created', async () => {
    expect((await update({ mentor: 'chef_new' })).status).toBe(400);
    await load({
      version: 1,
      workspace: kitchen.document.workspace,
      cms: { entries: [{ id: 'chef_new', modelId: 'chefs', values: { name: { en: 'New' } } }] },
    });
    expect((await update({ mentor: 'chef_new' })).status).toBe(200);
  });
});

describe('400 not_found for a relation', () => {
  it.each<[string, string, unknown]>([
    ['to no entry', 'mentor', 'chef_99'],
    ['to no product', 'dishes', 'prod_99'],
    ['to another workspace', 'mentor', 'chef_theirs'],
    ['to a product of another workspace', 'signature', ['prod_1', 'prod_theirs']],
    ['to an entry of another database', 'mentor', 'thing_1'],
    ['to an entry instead of a product', 'signature', ['chef_1']],
    ['to a product instead of an entry', 'mentor', 'prod_1'],
    ['in another letter case', 'mentor', 'CHEF_1'],
    ['to an unknown database', 'lost', 'chef_1'],
    ['to several, one of which is absent', 'friends', ['chef_1', 'chef_gone', 'chef_2']],
    ['to a category', 'signature', ['cat_1']],
    ['to a workspace', 'mentor', kitchen.workspaceId],
    ['to a name of Object.prototype', 'mentor', 'constructor'],
  ])('%s', async (_, field, value) => {
    const untouched = await read();
    const answer = await update({ [field]: value, joined: '2026-09-09' });
    expect(answer.status).toBe(400);
    expect(answer.json.code).toBe('validation_failed');
    expect(issuesOf(answer)).toEqual([`values.${field} not_found`]);
    expect(await read()).toBe(untouched);
  });

  it('lists every relation with an absent target', async () => {
    const answer = await update({ mentor: 'nobody', friends: ['nobody'], likes: 'nothing', signature: ['prod_1'] });
    expect(answer.status).toBe(400);
    expect(issuesOf(answer).sort()).toEqual([
      'values.friends not_found',
      'values.likes not_found',
      'values.mentor not_found',
    ]);
  });

  it('names each id one time per field, regardless of other fields', async () => {
    const answer = await update({ mentor: 'nobody', friends: ['nobody', 'chef_1', 'nothing'] });
    const messages = answer.json.errors.map(({ message }: Answer['json']) => message).sort();
    expect(messages).toEqual([
      'values.friends: Must name existing records of cms:chefs; there is no nobody, nothing.',
      'values.mentor: Must name existing records of cms:chefs; there is no nobody.',
    ]);
  });

  it('is not checked when the update is too large anyway', async () => {
    const endless = Array.from({ length: 1_000 }, (_, index) => `${index}`.padStart(128, 'x'));
    const answer = await update({ friends: endless, signature: endless, few: endless });
    expect(answer.status).toBe(400);
    expect(issuesOf(answer)).toEqual(['values too_large']);
  });

  it('a relation to the other workspace gets the same answer as an absent target', async () => {
    const theirs = await update({ mentor: 'chef_theirs' });
    const nobodys = await update({ mentor: 'chef_nobodys' });
    expect(theirs.json).toEqual(JSON.parse(nobodys.text.replaceAll('chef_nobodys', 'chef_theirs')));
    expect((await update({ mentor: 'chef_theirs' }, other.keys.editor)).status).toBe(200);
  });
});

describe('400 for a field that is not a relation', () => {
  it.each<[string, unknown, ...string[]]>([
    ['mentor', { id: 'chef_1' }, 'type'],
    ['mentor', ['chef_1'], 'type'],
    ['mentor', 1, 'type'],
    ['mentor', '', 'format'],
    ['mentor', '..', 'format'],
    ['mentor', 'chef_1#x', 'format'],
    ['mentor', 'chef 1', 'format'],
    ['mentor', 'x'.repeat(129), 'format'],
    ['friends', 'chef_1', 'type'],
    ['friends', [{ id: 'chef_1' }], 'type'],
    ['friends', ['chef_1', null], 'type'],
    ['friends', {}, 'type'],
    ['friends', ['chef_1', 'chef_2', 'chef_1'], 'duplicate'],
    ['friends', ['a b'], 'format'],
    ['friends', ['a b', 'a b'], 'format', 'duplicate'],
    ['few', many, 'max_items'],
  ])('%s: %j', async (field, value, ...codes) => {
    const untouched = await read();
    const answer = await update({ [field]: value });
    expect(answer.status).toBe(400);
    expect(issuesOf(answer)).toEqual(codes.map((code) => `values.${field} ${code}`));
    expect(await read()).toBe(untouched);
  });
});
