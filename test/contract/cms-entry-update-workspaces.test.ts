import { describe, expect, it } from '@jest/globals';
import { withoutRequestId } from '#test/support/answers.ts';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const mine = await openWorkspace('kitchen');
const theirs = await openWorkspace('kitchen', (document) => {
  document.workspace.languages = ['en', 'ar', 'fr'];
  document.cms.models.push({
    id: 'secrets',
    name: { en: 'Secrets' },
    fields: [{ key: 'title', name: { en: 'Title' }, type: 'text' }],
  });
  document.cms.models[0].fields.push({ key: 'extra', name: { en: 'Extra' }, type: 'text' });
  document.cms.entries.push({ id: 'chef_theirs', modelId: 'chefs', values: { name: { en: 'Theirs' } } });
  document.cms.entries.push({ id: 'secret_1', modelId: 'secrets', values: { title: 'Theirs' } });
});
const update = (path: string, values: object, headers = {}) =>
  call(`PATCH /api/public/cms/${path}`, { key: mine.keys.chief, body: { values }, headers });
const read = async (path: string) =>
  (await call(`GET /api/public/cms/${path}?includeHidden=true`, { key: theirs.keys.chief })).text;

describe('an entry of another workspace', () => {
  const change = { name: { en: 'Mine now' } };
  it.each<[string, string, string, object, object?]>([
    ['an entry', 'chefs/chef_theirs', 'chefs/chef_99', change],
    ['an entry, with no values', 'chefs/chef_theirs', 'chefs/chef_99', {}],
    ['an entry, with If-Match', 'chefs/chef_theirs', 'chefs/chef_99', change, { 'if-match': '*' }],
    ['an entry of a database that only the other has', 'secrets/secret_1', 'nothing/secret_1', { title: 'x' }],
    [
      'an entry of a database that only the other has, with invalid values',
      'secrets/secret_1',
      'nothing/x',
      { nope: 1 },
    ],
  ])('404 for %s, byte for byte as for an unknown id', async (_, path, nowhere, values, headers = {}) => {
    const before = await read(path);
    const answer = await update(path, values, headers);
    expect(answer.status).toBe(404);
    expect(answer.json.code).toBe('not_found');
    expect(withoutRequestId(answer)).toEqual(withoutRequestId(await update(nowhere, values, headers)));
    expect(await read(path)).toBe(before);
  });

  it.each([
    ['chefs/chef_99', 'CMS entry not found.'],
    ['nope/chef_1', 'CMS database not found.'],
    ['chefs/thing_1', 'CMS entry not found.'],
    ['chefs/..', 'CMS entry not found.'],
    ['chefs/chef_1%23', 'CMS entry not found.'],
    [`chefs/${'x'.repeat(500)}`, 'CMS entry not found.'],
    ['__proto__/chef_1', 'CMS database not found.'],
    ['constructor/chef_1', 'CMS database not found.'],
    ['chefs/constructor', 'CMS entry not found.'],
  ])('404 for %s, without any id in the answer', async (path, message) => {
    const { status, json } = await update(path, {});
    expect(status).toBe(404);
    expect(json).toEqual({ code: 'not_found', message });
  });
});

describe('the same ids in two workspaces', () => {
  it('an update of one leaves the other unchanged', async () => {
    const before = await read('chefs/chef_1');
    const { status, text } = await update('chefs/chef_1', { name: { en: 'Mine' }, phone: '+966599999999' });
    expect(status).toBe(200);
    expect(text).not.toContain(theirs.canary);
    expect(await read('chefs/chef_1')).toBe(before);
  });

  it('use the fields and languages of the own workspace', async () => {
    for (const values of [{ extra: 'x' }, { name: { fr: 'x' } }]) {
      expect((await update('chefs/chef_1', values)).status).toBe(400);
      const other = { key: theirs.keys.chief, body: { values } };
      expect((await call('PATCH /api/public/cms/chefs/chef_2', other)).status).toBe(200);
    }
  });

  it('the answer to a refused update shows nothing of the other workspace', async () => {
    const bad = { name: { fr: 1 }, extra: 1, mentor: 'chef_theirs', friends: ['chef_theirs'], nope: 1 };
    const { status, text } = await update('chefs/chef_1', bad);
    expect(status).toBe(400);
    expect(text).not.toContain(theirs.canary);
    expect(text).not.toContain(theirs.workspaceId);
  });
});
