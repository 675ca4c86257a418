import { describe, expect, it } from '@jest/globals';
import { keys } from '#lib/table/keys.ts';
import type { Answer } from '#test/support/call.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { field, form, withForms } from '#test/support/presets/forms.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { load, testTable } from '#test/support/world.ts';

const fields = [field('name', 'TEXT', { required: true }), field('tags', 'MULTI_SELECT'), field('n', 'NUMBER')];
const notifications = { emails: ['owner@example.com', 'chef@example.com'] };
const body = { name: 'Lina', tags: ['a', 'b'], n: 1, _meta: { a: 1, b: [null, { c: 'x' }] } };
const openForms = () =>
  openWorkspace('forms', withForms([form('one', fields, { notifications }), form('two', fields)]));
const idOf = ({ headers }: Answer) => headers['x-form-response-id'];
const idempotencyKey = (key: string) => ({ 'idempotency-key': key });

async function expectStored(forms: Workspace<'forms'>, count: number): Promise<void> {
  const { responses, notifications, mailJobs } = await forms.stored();
  expect([responses.length, notifications.length, mailJobs.length]).toEqual([count, count, count * 2]);
}

const replays = isLongRun ? 50 : 16;

describe('a repeated submit with an Idempotency-Key', () => {
  it('gets the same answer with the same response id, and is stored one time', async () => {
    const forms = await openForms();
    const first = await forms.submit('one', body, idempotencyKey('k'));
    const second = await forms.submit('one', body, idempotencyKey('k'));
    expect([second.status, second.text, idOf(second)]).toEqual([first.status, first.text, idOf(first)]);
    expect(first.status).toBe(200);
    await expectStored(forms, 1);
  });

  it('is recognised by equal JSON, however it is written', async () => {
    const forms = await openForms();
    const first = await forms.submit('one', body, idempotencyKey('k'));
    const written =
      ' {"_meta":{"b":[null,{"\\u0063":"x"}],"a":1.0}, "n":1e0,"tags":["a","b"],\n"name":"first","name":"L\\u0069na"}';
    const second = await forms.submit('one', written, {
      ...idempotencyKey('k'),
      'content-type': 'application/json; charset=utf-8',
    });
    expect([second.status, idOf(second)]).toEqual([200, idOf(first)]);
    await expectStored(forms, 1);
  });

  it.each<[string, object | string]>([
    ['another value', { ...body, name: 'Omar' }],
    ['another order of a list', { ...body, tags: ['b', 'a'] }],
    ['a number as text', { ...body, n: '1' }],
    ['one more member', { ...body, _more: null }],
    ['one member fewer', { name: 'Lina' }],
    ['null for a member of the same name', { ...body, _meta: null }],
    ['answers that the form refuses', {}],
    ['a number out of range instead of null', '{"name":1e400}'],
  ])('is refused with another body: %s (422)', async (_, other) => {
    const forms = await openForms();
    const first = await forms.submit('one', body, idempotencyKey('k'));
    const { status, json, headers } = await forms.submit('one', other, idempotencyKey('k'));
    expect([status, json.code, Object.keys(json)]).toEqual([422, 'idempotency_key_reused', ['message', 'code']]);
    expect(headers['x-form-response-id']).toBeUndefined();
    expect(idOf(await forms.submit('one', body, idempotencyKey('k')))).toBe(idOf(first));
    await expectStored(forms, 1);
  });

  it('gets the same answer after a change of the form, and 404 after it is disabled', async () => {
    const forms = await openForms();
    const first = await forms.submit('one', body, idempotencyKey('k'));
    const { document } = forms;
    document.forms[0].fields.push(field('more', 'TEXT', { required: true }));
    await load(document);
    expect(idOf(await forms.submit('one', body, idempotencyKey('k')))).toBe(idOf(first));
    expect((await forms.submit('one', body, idempotencyKey('new'))).status).toBe(400);
    document.forms[0].enabled = false;
    await load(document);
    expect((await forms.submit('one', body, idempotencyKey('k'))).text).toBe('{"message":"Form not found."}');
    await expectStored(forms, 1);
  });

  it('is a new submit after 24 hours, even if the engine has not removed its record', async () => {
    const forms = await openForms();
    const first = await forms.submit('one', body, idempotencyKey('k'));
    const pk = keys.idempotencyRecord(forms.workspaceId, '').pk;
    const [remembered] = await Array.fromAsync(testTable().query({ pk }));
    const day = 24 * 60 * 60;
    expect(Number(remembered?.['ttl']) - Date.now() / 1_000).toBeGreaterThan(day - 60);
    expect(Number(remembered?.['ttl']) - Date.now() / 1_000).toBeLessThanOrEqual(day + 1);
    await testTable().put({ ...remembered, ttl: Math.floor(Date.now() / 1_000) - 1 } as never);
    const second = await forms.submit('one', { ...body, n: 2 }, idempotencyKey('k'));
    expect(second.status).toBe(200);
    expect(idOf(second)).not.toBe(idOf(first));
    expect(idOf(await forms.submit('one', { ...body, n: 2 }, idempotencyKey('k')))).toBe(idOf(second));
    await expectStored(forms, 2);
  });

  it('is stored one time when it is sent many times in parallel', async () => {
    const forms = await openForms();
    const answers = await Promise.all(
      Array.from({ length: replays }, () => forms.submit('one', body, idempotencyKey('k'))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(idOf)).size).toBe(1);
    await expectStored(forms, 1);
    expect((await forms.stored()).responses[0].id).toBe(idOf(answers[0] as Answer));
  });

  it('stores the first body when two bodies are sent many times in parallel', async () => {
    const forms = await openForms();
    const answers = await Promise.all(
      Array.from({ length: replays }, (_, index) =>
        forms.submit('one', { ...body, n: index % 2 }, idempotencyKey('k')),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(replays / 2).fill(200),
      ...Array(replays / 2).fill(422),
    ]);
    await expectStored(forms, 1);
  });
});

describe('an Idempotency-Key', () => {
  it('is not used up by a 4xx', async () => {
    const forms = await openForms();
    for (const refused of ['{', [], { name: '' }, { nope: 1 }])
      expect((await forms.submit('one', refused, idempotencyKey('k'))).status).toBe(400);
    expect((await forms.submit('one', 'x', { ...idempotencyKey('k'), 'content-type': 'text/plain' })).status).toBe(415);
    expect((await forms.submit('one', body, idempotencyKey('k'))).status).toBe(200);
    await expectStored(forms, 1);
  });

  it('belongs to one form of one workspace', async () => {
    const forms = await openForms();
    const other = await openForms();
    const answers = [
      await forms.submit('one', body, idempotencyKey('k')),
      await forms.submit('two', { name: 'Omar' }, idempotencyKey('k')),
      await other.submit('one', { name: 'Huda' }, idempotencyKey('k')),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(idOf)).size).toBe(3);
  });

  it.each([['a'], ['x'.repeat(255)], ['"quoted; #1"'], ['clé'], ['__proto__']])(
    'an Idempotency-Key of a submit may be the text %.9s',
    async (key) => {
      const forms = await openForms();
      const answers = [
        await forms.submit('one', body, idempotencyKey(key)),
        await forms.submit('one', body, idempotencyKey(key)),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(new Set(answers.map(idOf)).size).toBe(1);
    },
  );

  it.each([
    ['', 'min_length'],
    ['x'.repeat(256), 'max_length'],
  ])('has 1 to 255 characters, so %.5s... is refused', async (key, code) => {
    const forms = await openForms();
    const { status, json } = await forms.submit('one', { name: 1 }, idempotencyKey(key));
    expect([status, json.code]).toEqual([400, 'validation_failed']);
    expect(json.errors[0]).toMatchObject({ path: 'Idempotency-Key', code });
    await expectStored(forms, 0);
  });

  it('is case-sensitive', async () => {
    const forms = await openForms();
    expect(idOf(await forms.submit('one', body, idempotencyKey('k')))).not.toBe(
      idOf(await forms.submit('one', body, idempotencyKey('K'))),
    );
    await expectStored(forms, 2);
  });
});
