import { describe, expect, it } from '@jest/globals';
import { issuesOf } from '#test/support/answers.ts';
import { type Answer, call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('kitchen', (document) => {
  for (let number = 2; number <= 9; number++) {
    document.cms.entries.push({ id: `thing_${number}`, modelId: 'things', values: { title: 'x' } });
  }
});
const key = kitchen.keys.chief;
const pathOf = (id: string) => `/api/public/cms/things/${id}?maxDepth=0`;
const update = (id: string, values: object) => call(`PATCH ${pathOf(id)}`, { key, body: { values } });
const read = async (id: string) => (await call(`GET ${pathOf(id)}`, { key })).json;
const kilobytes = (count: number, character = 'x') => character.repeat(count * 1_024);

function expectTooLarge(answer: Answer): void {
  expect(answer.status).toBe(400);
  expect(answer.json.code).toBe('validation_failed');
  expect(answer.json.errors).toEqual([
    { path: 'values', code: 'too_large', message: expect.stringContaining('350 KB') },
  ]);
}

describe('an entry over 350 KB', () => {
  it.each<[string, string, object]>([
    ['one text', 'thing_2', { long: kilobytes(351) }],
    ['a text over the limit in bytes, though not in characters', 'thing_2', { long: 'é'.repeat(180 * 1_024) }],
    ['several texts', 'thing_2', { title: kilobytes(180), long: kilobytes(180) }],
    ['languages of one text', 'thing_2', { rich: { en: kilobytes(180), ar: kilobytes(180) } }],
    ['json', 'thing_2', { data: Array.from({ length: 40_000 }, (_, index) => `item ${index}`) }],
  ])('400 too_large for %s, and nothing is stored', async (_, id, values) => {
    const before = await read(id);
    expectTooLarge(await update(id, values));
    expect(await read(id)).toEqual(before);
  });

  it('is measured after the update is merged into the stored entry', async () => {
    expect((await update('thing_3', { long: kilobytes(200) })).status).toBe(200);
    expectTooLarge(await update('thing_3', { title: kilobytes(200) }));
    expect((await update('thing_3', { long: null, title: kilobytes(200) })).status).toBe(200);
    expect((await update('thing_3', { long: kilobytes(100) })).status).toBe(200);
    expectTooLarge(await update('thing_3', { rich: { en: kilobytes(60) } }));
    const { long, title, rich } = await read('thing_3');
    expect([long, title, rich]).toEqual([kilobytes(100), kilobytes(200), null]);
  });

  it('is reported after 404 and 412', async () => {
    const values = { long: kilobytes(351) };
    expect((await update('thing_99', values)).status).toBe(404);
    const headers = { 'if-match': '"other"' };
    expect((await call(`PATCH ${pathOf('thing_2')}`, { key, body: { values }, headers })).status).toBe(412);
  });

  it('is reported together with a required field that loses its value', async () => {
    const chefs = '/api/public/cms/chefs/chef_1';
    const values = { name: { en: null, ar: null }, bio: { en: kilobytes(351) } };
    const { status, json } = await call(`PATCH ${chefs}`, { key, body: { values } });
    expect(status).toBe(400);
    expect(issuesOf({ json }).sort()).toEqual(['values too_large', 'values.name required']);
  });
});

describe('an entry just below 350 KB', () => {
  it('is stored, read, and accepts further small updates', async () => {
    expect((await update('thing_4', { long: kilobytes(348) })).status).toBe(200);
    expect((await update('thing_4', { amount: 1 })).status).toBe(200);
    expect((await update('thing_4', { active: true, tags: ['hot'] })).status).toBe(200);
    expect(await read('thing_4')).toMatchObject({ long: kilobytes(348), amount: 1, active: true, tags: ['hot'] });
  });

  it('can be made smaller', async () => {
    expect((await update('thing_4', { long: 'short' })).status).toBe(200);
    expect((await read('thing_4')).long).toBe('short');
  });

  it.each([
    ['\u0001', 150],
    ['"', 340],
    ['\\', 340],
    ['😀', 86],
  ])('is answered as a whole, even with characters that grow in JSON: %j', async (character, count) => {
    const { status, json } = await update('thing_5', { long: kilobytes(Number(count), String(character)) });
    expect(status).toBe(200);
    expect(json.long).toBe(kilobytes(Number(count), String(character)));
  });
});

describe('concurrent updates of different fields', () => {
  it('never let an entry exceed 350 KB together', async () => {
    const fields = ['title', 'long', 'secret'];
    const answers = await Promise.all(fields.map((field) => update('thing_6', { [field]: kilobytes(130) })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    for (const answer of answers) if (answer.status !== 200) expectTooLarge(answer);
    const stored = (await call(`GET ${pathOf('thing_6')}&includeHidden=true`, { key })).json;
    expect(fields.filter((field) => stored[field] === kilobytes(130))).toHaveLength(2);
  });
});
