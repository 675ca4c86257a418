import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { type Answer, call } from '#test/support/call.ts';
import { type Fault, FaultProxy } from '#test/support/fault-proxy.ts';
import { startOtherContainer } from '#test/support/other-container.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('kitchen', (document) => {
  document.cms.models[1].fields.push({
    key: 'twin',
    name: { en: 'Twin' },
    type: 'relation',
    relation: { to: 'cms:things', many: false },
  });
  document.cms.models.push({
    id: 'notes',
    name: { en: 'Notes' },
    fields: [
      { key: 'day', name: { en: 'Day' }, type: 'date', indexed: false },
      { key: 'name', name: { en: 'Name' }, type: 'text', localized: true, required: true, indexed: false },
    ],
  });
  document.cms.entries.push({ id: 'note_1', modelId: 'notes', values: { name: { en: 'Note', ar: 'ملاحظة' } } });
});
const key = kitchen.keys.editor;
// The functions are imported from here on, so that their table is behind the proxy.
const entries = ['notes/note_1', 'things/thing_1', 'chefs/chef_1'].map((entry) => `/api/public/cms/${entry}`);
const updateElsewhere = await startOtherContainer(key, entries);
const proxy = await FaultProxy.start();
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
afterEach(() => proxy.heal());
afterAll(() => proxy.stop());

/** An entry that nothing shows, one with a column, and one whose transaction also marks related entries as changed. */
const kinds = [
  ['TransactWriteItems', '/api/public/cms/notes/note_1', 'day'],
  ['TransactWriteItems', '/api/public/cms/things/thing_1', 'day'],
  ['TransactWriteItems', '/api/public/cms/chefs/chef_1', 'joined'],
] as const;
const update = (path: string, values: object, ifMatch?: string) =>
  call(`PATCH ${path}`, { key, body: { values }, headers: ifMatch === undefined ? {} : { 'if-match': ifMatch } });
const read = (path: string) => call(`GET ${path}`, { key });
const tagOf = async (path: string) => (await read(path)).headers['etag'];

let daysGone = 0;
const nextDay = () => new Date(Date.UTC(2026, 2, ++daysGone)).toISOString().slice(0, 10);

async function expectStored(path: string, answer: Answer): Promise<void> {
  const stored = await read(path);
  expect(answer.status).toBe(200);
  expect(stored.text).toBe(answer.text);
  expect(stored.headers['etag']).toBe(answer.headers['etag']);
}

const writesOf = (operation: string) => proxy.calls.filter((call) => call.operation === operation).length;

describe.each(kinds)('%s: an applied update whose answer is lost', (operation, path, field) => {
  it('answers 200, with the stored version', async () => {
    const day = nextDay();
    proxy.plan(operation, { kind: 'reset after' }, 1);
    const answer = await update(path, { [field]: day });
    expect(answer.json[field]).toBe(day);
    expect(writesOf(operation)).toBe(2);
    await expectStored(path, answer);
  });

  it('answers 200 and no false 412 with If-Match', async () => {
    for (const lost of [1, 2]) {
      const day = nextDay();
      const tag = await tagOf(path);
      proxy.plan(operation, { kind: 'reset after' }, lost);
      const answer = await update(path, { [field]: day }, tag);
      expect(answer.json[field]).toBe(day);
      expect(answer.headers['etag']).not.toBe(tag);
      await expectStored(path, answer);
      expect((await update(path, { [field]: day }, tag)).status).toBe(412);
    }
  });

  it.each<Fault>([
    { kind: 'cut reply', end: 'broken' },
    { kind: 'cut reply', end: 'clean' },
  ])('in half (%j) answers 200 with the stored version, or 503', async (fault) => {
    const day = nextDay();
    proxy.plan(operation, fault, 1);
    const answer = await update(path, { [field]: day }, await tagOf(path));
    expect([200, 503]).toContain(answer.status);
    expect((await read(path)).json[field]).toBe(day);
    if (answer.status === 200) await expectStored(path, answer);
  });

  it('never answers 412 when another update comes before the retry', async () => {
    const day = nextDay();
    const tag = await tagOf(path);
    proxy.plan(operation, { kind: 'reset after', meanwhile: () => updateElsewhere(path, { published: false }) }, 1);
    const answer = await update(path, { [field]: day }, tag);
    expect([200, 503]).toContain(answer.status);
    expect((await read(path)).json).toMatchObject({ [field]: day, published: false });
  });

  it('reverts no other update', async () => {
    const day = nextDay();
    proxy.plan(operation, { kind: 'reset after', meanwhile: () => updateElsewhere(path, { published: true }) }, 1);
    const answer = await update(path, { [field]: day });
    expect(answer.status).toBe(200);
    expect((await read(path)).json).toMatchObject({ [field]: day, published: true });
  });

  it('keeps the last language of a required field, even if the answer to the removal of another is lost', async () => {
    const chef = '/api/public/cms/chefs/chef_2';
    await update(chef, { name: { en: 'x', ar: 'س' } });
    proxy.plan('TransactWriteItems', { kind: 'reset after' }, 1);
    const answer = await update(chef, { name: { en: null } });
    expect(answer.json.name).toEqual({ ar: 'س' });
    await expectStored(chef, answer);
    expect((await update(chef, { name: { ar: null } })).status).toBe(400);
  });
});

describe('an update whose outcome is unknown at first', () => {
  const path = '/api/public/cms/notes/note_1';

  it('is not refused because of a concurrent update', async () => {
    const day = nextDay();
    const meanwhile = () => updateElsewhere(path, { name: { en: 'Newer', ar: null } });
    proxy.plan('TransactWriteItems', { kind: 'reset after', meanwhile }, 1);
    const { status } = await update(path, { day, name: { en: null } });
    expect([200, 503]).toContain(status);
    expect((await read(path)).json).toMatchObject({ day, name: { en: 'Newer' } });
  });
});

describe('an entry with a relation to itself', () => {
  it('appears with its updated values, anywhere in the answer', async () => {
    const path = '/api/public/cms/things/thing_1';
    await update(path, { twin: 'thing_1' });
    const tag = (await tagOf(path)) ?? '';
    proxy.plan('TransactWriteItems', { kind: 'reset after' }, 1);
    const { status, json } = await call(`PATCH ${path}?fields=day,twin(day,twin(day,title))`, {
      key,
      body: { values: { day: '2026-12-24', title: 'Seen' } },
      headers: { 'if-match': tag },
    });
    const id = 'thing_1';
    expect(status).toBe(200);
    expect(json).toEqual({
      id,
      day: '2026-12-24',
      twin: { id, day: '2026-12-24', twin: { id, day: '2026-12-24', title: 'Seen' } },
    });
  });
});

describe.each(kinds)('%s: an update that never reaches the table', (operation, path, field) => {
  const faults: Fault[] = [
    { kind: 'reset before' },
    { kind: 'hang' },
    { kind: 'error', type: 'ProvisionedThroughputExceededException', status: 400 },
    { kind: 'error', type: 'InternalServerError', status: 500 },
  ];
  it.each(faults)('answers 503 and changes nothing: %j', async (fault) => {
    const before = await read(path);
    proxy.plan(operation, fault);
    expect((await update(path, { [field]: nextDay() })).status).toBe(503);
    const after = await read(path);
    expect([after.text, after.headers['etag']]).toEqual([before.text, before.headers['etag']]);
  });
});

describe('concurrent updates whose answers get lost', () => {
  it('are all stored', async () => {
    const path = '/api/public/cms/things/thing_1';
    const fields = { title: 'a', long: 'b', amount: 7, active: true, day: '2026-05-05', size: 'm', data: { a: 1 } };
    let calls = 0;
    // The first call of each of them is lost, after or before it was carried out.
    proxy.chance = ({ operation }) => {
      if (operation !== 'TransactWriteItems' || calls++ % 2 === 1) return undefined;
      return { kind: calls % 4 === 1 ? 'reset after' : 'reset before' };
    };
    const answers = await Promise.all(Object.entries(fields).map(([name, value]) => update(path, { [name]: value })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await read(path)).json).toMatchObject(fields);
  });
});
