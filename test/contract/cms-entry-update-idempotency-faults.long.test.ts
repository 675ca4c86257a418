import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { type Answer, call } from '#test/support/call.ts';
import { type Fault, FaultProxy } from '#test/support/fault-proxy.ts';
import { startOtherContainer } from '#test/support/other-container.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('kitchen', (document) => {
  document.cms.models.push({
    id: 'notes',
    name: { en: 'Notes' },
    fields: [
      { key: 'text', name: { en: 'Text' }, type: 'longText', indexed: false },
      { key: 'day', name: { en: 'Day' }, type: 'date', indexed: false },
      { key: 'title', name: { en: 'Title' }, type: 'text', localized: true, required: true, indexed: false },
      { key: 'due', name: { en: 'Due' }, type: 'date' },
    ],
  });
  document.cms.entries.push({ id: 'note', modelId: 'notes', values: { title: { en: 'x' } } });
});
const key = kitchen.keys.editor;
// The functions are imported from here on, so that their table is behind the proxy.
const updateElsewhere = await startOtherContainer(key, ['/api/public/cms/notes/note', '/api/public/cms/chefs/chef_1']);
const proxy = await FaultProxy.start();
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
afterEach(() => proxy.heal());
afterAll(() => proxy.stop());

let keys = 0;
const newKey = () => ({ 'idempotency-key': `key-${++keys}` });
/** Nothing shows the first. The second has a column. The menu shows the third. */
const entries = [
  ['notes/note', 'day'],
  ['notes/note', 'due'],
  ['chefs/chef_1', 'joined'],
] as const;
const update = (path: string, values: object, headers: Readonly<Record<string, string>> = newKey()) =>
  call(`PATCH /api/public/cms/${path}`, { key, body: { values }, headers });
const read = (path: string) => call(`GET /api/public/cms/${path}`, { key });
const seenIn = ({ status, text, headers }: Answer) => [status, text, headers['etag']];

let days = 0;
const nextDay = () => new Date(++days * 86_400_000).toISOString().slice(0, 10);

describe.each(entries)('a transaction whose answer is lost, of %s by %s', (path, field) => {
  it('is carried out one time', async () => {
    for (const lost of [1, 2]) {
      const headers = newKey();
      const day = nextDay();
      proxy.plan('TransactWriteItems', { kind: 'reset after' }, lost);
      const answer = await update(path, { [field]: day }, headers);
      expect(seenIn(answer)).toEqual(seenIn(await read(path)));
      expect(answer.json[field]).toBe(day);
      expect(seenIn(await update(path, { [field]: day }, headers))).toEqual(seenIn(answer));
    }
  });

  it('does not revert an update that precedes the retry', async () => {
    const headers = newKey();
    const day = nextDay();
    const later = nextDay();
    const meanwhile = () => updateElsewhere(`/api/public/cms/${path}`, { [field]: later });
    proxy.plan('TransactWriteItems', { kind: 'reset after', meanwhile }, 1);
    const answer = await update(path, { [field]: day }, headers);
    expect(answer.status).toBe(200);
    expect((await read(path)).json[field]).toBe(later);
    expect(seenIn(await update(path, { [field]: day }, headers))).toEqual(seenIn(answer));
    expect((await read(path)).json[field]).toBe(later);
  });

  it('every time is answered 503, and the same update then gets the current entry', async () => {
    const headers = newKey();
    const day = nextDay();
    const ifMatch = { ...headers, 'if-match': (await read(path)).headers['etag'] ?? '' };
    proxy.plan('TransactWriteItems', { kind: 'reset after' });
    expect((await update(path, { [field]: day }, ifMatch)).status).toBe(503);
    proxy.heal();
    expect((await update(path, { published: true })).status).toBe(200);
    const now = await read(path);
    expect(now.json).toMatchObject({ [field]: day, published: true });
    expect(seenIn(await update(path, { [field]: day }, ifMatch))).toEqual(seenIn(now));
    await update(path, { [field]: nextDay() });
    expect(seenIn(await update(path, { [field]: day }, ifMatch))).toEqual(seenIn(now));
    expect((await update(path, { [field]: nextDay() }, ifMatch)).status).toBe(422);
  });
});

describe.each(entries)('a table that does not update %s by %s', (path, field) => {
  it.each<Fault>([
    { kind: 'error', type: 'ThrottlingException', status: 400 },
    { kind: 'error', type: 'InternalServerError', status: 500 },
    { kind: 'reset before' },
    { kind: 'hang' },
  ])('answers 503 and leaves the idempotency key unused: %j', async (fault) => {
    const headers = newKey();
    const before = await read(path);
    proxy.plan('TransactWriteItems', fault);
    expect((await update(path, { [field]: nextDay() }, headers)).status).toBe(503);
    proxy.heal();
    expect(seenIn(await read(path))).toEqual(seenIn(before));
    expect((await update(path, { [field]: nextDay() }, headers)).status).toBe(200);
  });
});

describe('an answer that cannot be stored', () => {
  it('does not fail the update, and a retry gets the current entry', async () => {
    const headers = newKey();
    const day = nextDay();
    proxy.plan('UpdateItem', { kind: 'error', type: 'ThrottlingException', status: 400 });
    const first = await update('notes/note', { day }, headers);
    expect([first.status, first.json.day]).toEqual([200, day]);
    expect(seenIn(await update('notes/note', { day }, headers))).toEqual(seenIn(first));
    proxy.heal();
    await update('notes/note', { day: nextDay() });
    const now = await read('notes/note');
    expect(seenIn(await update('notes/note', { day }, headers))).toEqual(seenIn(now));
    expect(seenIn(await read('notes/note'))).toEqual(seenIn(now));
  });
});

describe('updates with different idempotency keys', () => {
  it('parallel updates of different fields with different idempotency keys are all kept', async () => {
    const values = [{ text: 'a' }, { day: '2026-12-24' }, { title: { ar: 'س' } }, { title: { en: 'y' } }];
    const answers = await Promise.all(values.map((value) => update('notes/note', value)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await read('notes/note')).json).toMatchObject({
      text: 'a',
      day: '2026-12-24',
      title: { ar: 'س', en: 'y' },
    });
  });

  it('keep the last language of a required field', async () => {
    expect((await update('notes/note', { title: { en: 'x', ar: 'س' } })).status).toBe(200);
    const answers = await Promise.all([
      update('notes/note', { title: { en: null } }),
      update('notes/note', { title: { ar: null } }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('updates that conflict in the table', () => {
  const conflict = (...codes: string[]): Fault => ({
    kind: 'error',
    type: 'TransactionCanceledException',
    status: 400,
    more: { CancellationReasons: codes.map((Code) => ({ Code })) },
  });

  it.each([
    ['with an idempotency key', newKey()],
    ['without an idempotency key', {}],
  ])('%s are retried', async (_, headers) => {
    proxy.plan('TransactWriteItems', conflict('None', 'TransactionConflict'), 2);
    const day = nextDay();
    expect((await update('notes/note', { day }, headers)).json.day).toBe(day);
  });

  it.each([
    ['409 under the same key', ['TransactionConflict', 'TransactionConflict'], 409, 'conflict', 16],
    ['409 under the same key, the last without an answer', ['TransactionConflict', 'None'], 409, 'conflict', 2],
    ['503 under others', ['None', 'TransactionConflict'], 503, 'unavailable', 16],
  ])('that conflict too long are answered %s, and nothing is stored', async (_, codes, status, code, conflicts) => {
    const before = await read('notes/note');
    proxy.plan('TransactWriteItems', conflict(...codes), conflicts);
    proxy.plan('TransactWriteItems', { kind: 'hang' });
    const answer = await update('notes/note', { day: nextDay() });
    expect([answer.status, answer.json.code, answer.headers['retry-after']]).toEqual([status, code, '1']);
    proxy.heal();
    expect(seenIn(await read('notes/note'))).toEqual(seenIn(before));
  });

  it.each([
    ['the same call', 1],
    ['a later call', 2],
  ])('with their own first try, which got no reply, and %s are answered 503', async (_, conflicts) => {
    proxy.plan('TransactWriteItems', { kind: 'reset before' }, 1);
    proxy.plan('TransactWriteItems', conflict('TransactionConflict', 'None'), conflicts);
    proxy.plan('TransactWriteItems', { kind: 'hang' });
    const answer = await update('notes/note', { day: nextDay() });
    expect([answer.status, answer.json.code, answer.headers['retry-after']]).toEqual([503, 'unavailable', '1']);
  });
});

describe('an update costs', () => {
  it('one read and one write without an idempotency key', async () => {
    await update('notes/note', { day: nextDay() }, {});
    await proxy.forget();
    await update('notes/note', { day: nextDay() }, {});
    expect(proxy.calls.map(({ operation }) => operation)).toEqual(['BatchGetItem', 'TransactWriteItems']);
    const [request] = Object.values<{ readonly Keys: readonly object[] }>(proxy.calls[0]?.input.RequestItems ?? {});
    // The key, the databases and the entry.
    expect(request?.Keys).toHaveLength(3);
  });

  it('one more write with an idempotency key, for its answer', async () => {
    await update('notes/note', { day: nextDay() });
    await proxy.forget();
    const headers = newKey();
    await update('notes/note', { day: '2026-01-01' }, headers);
    const first = ['BatchGetItem', 'TransactWriteItems', 'UpdateItem'];
    expect(proxy.calls.map(({ operation }) => operation)).toEqual(first);
    await proxy.forget();
    await update('notes/note', { day: '2026-01-01' }, headers);
    expect(proxy.calls.map(({ operation }) => operation)).toEqual(['BatchGetItem']);
  });
});
