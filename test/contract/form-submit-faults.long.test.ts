import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { Answer } from '#test/support/call.ts';
import { type Fault, FaultProxy } from '#test/support/fault-proxy.ts';
import { field, form, withForms } from '#test/support/presets/forms.ts';
import { timed } from '#test/support/spent-time.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const open = () =>
  openWorkspace(
    'forms',
    withForms([
      form('open', [field('name', 'TEXT'), field('file', 'FILE')], { notifications: { emails: ['a@example.com'] } }),
    ]),
  );
const forms = await open();
// The functions are imported from here on, so that their table is behind the proxy.
const proxy = await FaultProxy.start();
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
afterEach(() => proxy.heal());
afterAll(() => proxy.stop());

const throttled: Fault = { kind: 'error', type: 'ThrottlingException', status: 400 };
const broken: Fault = { kind: 'error', type: 'InternalServerError', status: 500 };
const idOf = ({ headers }: Answer) => headers['x-form-response-id'];
const writes = () => proxy.calls.filter(({ operation }) => operation === 'TransactWriteItems').length;

let keys = 0;
const newKey = () => ({ 'idempotency-key': `key-${++keys}` });

/** What was stored in the meantime, by id. */
async function storedOnce(id: string | undefined): Promise<number[]> {
  const { responses, notifications, mailJobs } = await forms.stored();
  return [
    responses.filter((response) => response.id === id).length,
    notifications.filter(({ formResponseId }) => formResponseId === id).length,
    mailJobs.filter(({ responseId }) => responseId === id).length,
  ];
}

const counts = async () => Object.values(await forms.stored()).map(({ length }) => length);

function expectUnavailable({ status, json, headers }: Answer): void {
  expect([status, json.code, headers['retry-after']]).toEqual([503, 'unavailable', '1']);
  expect(headers['x-form-response-id']).toBeUndefined();
}

describe('a transaction whose answer is lost', () => {
  it.each([
    ['with an Idempotency-Key', newKey],
    ['without', () => ({})],
  ])('is stored one time, %s', async (_, headers) => {
    for (const lost of [1, 2, 3]) {
      const before = await counts();
      proxy.plan('TransactWriteItems', { kind: 'reset after' }, lost);
      const answer = await forms.submit('open', { name: 'x' }, headers());
      expect(answer.status).toBe(200);
      expect(writes()).toBe(lost + 1);
      expect(await storedOnce(idOf(answer))).toEqual([1, 1, 1]);
      expect(await counts()).toEqual(before.map((count) => count + 1));
      proxy.heal();
    }
  });

  it('every time is answered 503, and a retry gets the stored response', async () => {
    const before = await counts();
    const header = newKey();
    proxy.plan('TransactWriteItems', { kind: 'reset after' });
    expectUnavailable(await forms.submit('open', { name: 'x' }, header));
    proxy.heal();
    const answer = await forms.submit('open', { name: 'x' }, header);
    expect(answer.status).toBe(200);
    expect(await storedOnce(idOf(answer))).toEqual([1, 1, 1]);
    expect(await counts()).toEqual(before.map((count) => count + 1));
    expect((await forms.submit('open', { name: 'y' }, header)).status).toBe(422);
  });

  it('is stored one time if the client retries in the meantime', async () => {
    const before = await counts();
    const header = newKey();
    const again: Promise<Answer>[] = [];
    const meanwhile = async () => {
      again.push(forms.submit('open', { name: 'x' }, header));
      await again[0];
    };
    proxy.plan('TransactWriteItems', { kind: 'reset after', meanwhile }, 1);
    const answers = [await forms.submit('open', { name: 'x' }, header), ...(await Promise.all(again))];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(answers.map(idOf)).size).toBe(1);
    expect(await counts()).toEqual(before.map((count) => count + 1));
  });

  it.each<Fault>([
    { kind: 'cut reply', end: 'broken' },
    { kind: 'cut reply', end: 'clean' },
    { kind: 'cut reply', end: 'stalled' },
  ])('a transaction whose answer is cut in half (%j) is stored one time', async (fault) => {
    const before = await counts();
    const header = newKey();
    proxy.plan('TransactWriteItems', fault, 1);
    const first = await forms.submit('open', { name: 'x' }, header);
    expect([200, 503]).toContain(first.status);
    proxy.heal();
    expect((await forms.submit('open', { name: 'x' }, header)).status).toBe(200);
    expect(await counts()).toEqual(before.map((count) => count + 1));
  });
});

describe('a table', () => {
  it.each<[string, Fault]>([
    ['throttles', throttled],
    ['fails', broken],
    ['breaks the connection', { kind: 'reset before' }],
  ])('that %s at first is retried', async (_, fault) => {
    for (const operation of ['BatchGetItem', 'TransactWriteItems']) {
      proxy.plan(operation, fault, 1);
      const answer = await forms.submit('open', { name: 'x' }, newKey());
      expect(answer.status).toBe(200);
      expect(await storedOnce(idOf(answer))).toEqual([1, 1, 1]);
    }
  });

  it.each<[string, Fault]>([
    ['throttles', throttled],
    ['fails', broken],
    ['breaks the connection', { kind: 'reset before' }],
    ['hangs', { kind: 'hang' }],
  ])('that always %s is answered 503 within three seconds, and nothing is stored', async (_, fault) => {
    for (const operation of ['BatchGetItem', 'TransactWriteItems']) {
      const before = await counts();
      proxy.plan(operation, fault);
      const { result, waited } = await timed(() => forms.submit('open', { name: 'x', file: null }));
      expectUnavailable(result);
      expect(waited).toBeLessThan(3_000);
      proxy.heal();
      expect(await counts()).toEqual(before);
    }
  });

  it.each<[string, Fault]>([
    ['throttles', throttled],
    ['hangs', { kind: 'hang' }],
  ])('that always %s delays the read of a form by less than three seconds', async (_, fault) => {
    proxy.plan('BatchGetItem', fault);
    const { result, waited } = await timed(() => forms.read('open'));
    expectUnavailable(result);
    expect(waited).toBeLessThan(3_000);
  });

  it('an incomplete read is continued with the rest', async () => {
    proxy.plan('BatchGetItem', { kind: 'unprocessed', parts: 'half' }, 1);
    expect((await forms.submit('open', { name: 'x' }, newKey())).status).toBe(200);
    proxy.plan('BatchGetItem', { kind: 'unprocessed', parts: 'all' });
    expectUnavailable(await forms.submit('open', { name: 'x' }));
  });
});

describe('concurrent submits with one Idempotency-Key', () => {
  const conflict: Fault = {
    kind: 'error',
    type: 'TransactionCanceledException',
    status: 400,
    more: { CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }] },
  };

  it('are retried while they conflict, and stored one time', async () => {
    proxy.plan('TransactWriteItems', conflict, 2);
    const answer = await forms.submit('open', { name: 'x' }, newKey());
    expect(answer.status).toBe(200);
    expect(await storedOnce(idOf(answer))).toEqual([1, 1, 1]);
  });

  it('are answered 409 if they conflict too long, and store nothing', async () => {
    const before = await counts();
    proxy.plan('TransactWriteItems', conflict);
    const { status, json, headers } = await forms.submit('open', { name: 'x' }, newKey());
    expect([status, json.code, headers['retry-after']]).toEqual([409, 'conflict', '1']);
    expect(await counts()).toEqual(before);
  });
});

describe('the cost of a submit', () => {
  it.each([
    ['one read', {}, ['BatchGetItem']],
    ['one read, also with an idempotency key', newKey(), ['BatchGetItem']],
  ])('is %s and one transaction, after the form was read', async (_, headers, reads) => {
    await forms.submit('open', {});
    await proxy.forget();
    expect((await forms.submit('open', { name: 'x' }, headers)).status).toBe(200);
    expect(proxy.calls.map(({ operation }) => operation)).toEqual([...reads, 'TransactWriteItems']);
  });

  it('the read of a form costs one call with consistent reads', async () => {
    await forms.read('open');
    await proxy.forget();
    await forms.read('open');
    const [only, ...others] = proxy.calls;
    expect([only?.operation, others]).toEqual(['BatchGetItem', []]);
    const [request] = Object.values<{ readonly ConsistentRead?: boolean }>(only?.input.RequestItems ?? {});
    expect(request?.ConsistentRead).toBe(true);
  });
});
