import { beforeEach, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

const kitchen = await openWorkspace('kitchen');
const key = kitchen.keys.editor;
const chef = '/api/public/cms/chefs/chef_1';
const update = (values: object, ifMatch?: string, path = chef) =>
  call(`PATCH ${path}?maxDepth=0`, {
    key,
    body: { values },
    headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
  });
const read = (path = chef, query = '?maxDepth=0') => call(`GET ${path}${query}`, { key });
const tagOf = async (path = chef) => (await read(path)).headers['etag'] ?? '';

let stale = '';
let current = '';
beforeEach(async () => {
  stale = await tagOf();
  current = (await update({ bio: { en: 'Now' } })).headers['etag'] ?? '';
});

describe('ETag', () => {
  it('is strong, and the same for every selection', async () => {
    expect(current).toMatch(/^"[\x21\x23-\x7e]+"$/);
    for (const query of ['', '?fields=bio', '?maxDepth=6', '?includeHidden=true', '?maxDepth=0&fields=id']) {
      expect((await read(chef, query)).headers['etag']).toBe(current);
    }
  });

  it('changes with every accepted update, and stays after a refused one', async () => {
    expect(current).not.toBe(stale);
    await update({ bio: 1 });
    await update({ nope: 1 });
    await update({ name: { en: null, ar: null } });
    expect(await tagOf()).toBe(current);
    expect((await update({ bio: { en: 'Now' } })).headers['etag']).not.toBe(current);
  });

  it('stays when only a related entry changes', async () => {
    await update({ mentor: 'chef_2' });
    const before = await tagOf();
    expect((await update({ bio: { en: 'Changed' } }, undefined, '/api/public/cms/chefs/chef_2')).status).toBe(200);
    expect(await tagOf()).toBe(before);
  });

  it('never returns to an earlier value, even with the values of an earlier version', async () => {
    const tags = new Set<string>();
    for (const published of [true, false, true, false]) {
      tags.add((await update({ published })).headers['etag'] ?? '');
    }
    expect(tags.size).toBe(4);
  });

  it('changes when an import changes the entry, and stays after an equal import', async () => {
    const entry = { id: 'chef_new', modelId: 'chefs', values: { name: { en: 'A' } } };
    const document = (imported: object) => ({
      version: 1,
      workspace: kitchen.document.workspace,
      cms: { entries: [imported] },
    });
    await load(document(entry));
    const first = await tagOf('/api/public/cms/chefs/chef_new');
    await load(document(entry));
    expect(await tagOf('/api/public/cms/chefs/chef_new')).toBe(first);
    await load(document({ ...entry, values: { name: { en: 'B' } } }));
    expect(await tagOf('/api/public/cms/chefs/chef_new')).not.toBe(first);
  });
});

describe('If-Match', () => {
  it.each<[string, () => string]>([
    ['the ETag of the stored version', () => current],
    ['several ETags, the current one among them', () => `"other", ${stale} ,${current}`],
    ['several ETags without blanks', () => `${stale},${current}`],
    ['*', () => '*'],
    ['the ETag between blanks', () => `  ${current}  `],
    ['the ETag in the weak form that a proxy made of it', () => `W/${current}`],
    ['several ETags with the stored one in its weak form', () => `"other", W/${current}`],
  ])('200 for %s', async (_, header) => {
    const { status, json } = await update({ joined: '2026-01-01' }, header());
    expect(status).toBe(200);
    expect(json.joined).toBe('2026-01-01');
  });

  it.each<[string, () => string]>([
    ['the ETag of an earlier version', () => stale],
    ['several ETags without the stored one', () => `${stale}, "other"`],
    ['the weak form of another ETag', () => `W/${stale}`],
    ['the ETag without its quotes', () => current.slice(1, -1)],
    ['a part of the ETag', () => `${current.slice(0, -3)}"`],
    ['the ETag in another letter case', () => current.toUpperCase()],
    ['a quoted asterisk', () => '"*"'],
    ['an empty ETag', () => '""'],
    ['nonsense', () => 'If-Match'],
  ])('412 for %s, and nothing changes', async (_, header) => {
    const before = await read();
    const { status, json, headers } = await update({ joined: '2026-02-02' }, header());
    expect(status).toBe(412);
    expect(json).toEqual({ code: 'precondition_failed', message: expect.stringMatching(/ .*\.$/) });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    const after = await read();
    expect([after.text, after.headers['etag']]).toEqual([before.text, before.headers['etag']]);
  });

  it('without quotes is refused with a message that asks for them', async () => {
    for (const header of [current.slice(1, -1), 'W/abc', "'abc'"])
      expect((await update({ joined: '2026-02-03' }, header)).json.message).toContain('in double quotes');
  });

  it('is checked for values: {}, too', async () => {
    expect((await update({}, stale)).status).toBe(412);
    const { status, headers } = await update({}, current);
    expect([status, headers['etag']]).toEqual([200, current]);
  });

  it('404 before 412 for an absent entry, also for *', async () => {
    for (const header of ['*', stale]) {
      expect((await update({}, header, '/api/public/cms/chefs/chef_99')).status).toBe(404);
    }
  });

  it('400 before 412 for values that are always invalid', async () => {
    expect((await update({ joined: 1 }, stale)).status).toBe(400);
  });

  it('412 before 400 for values whose validity depends on the stored entry', async () => {
    expect((await update({ name: { en: null, ar: null } }, stale)).status).toBe(412);
    expect((await update({ name: { en: null, ar: null } }, current)).status).toBe(400);
  });

  it('accepts one of many concurrent updates', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => update({ bio: { en: `Writer ${index}` } }, current)),
    );
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(19);
    expect((await read()).text).toBe(accepted[0]?.text);
  });
});
