import { describe, expect, it } from '@jest/globals';
import { dueKey } from '#lib/table/due/keys.ts';
import { mailJobId } from '#lib/table/mail-jobs.ts';
import { type Call, call } from '#test/support/call.ts';
import { field, form, pathOf, withForms } from '#test/support/presets/forms.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

const notFound = '{"message":"Form not found."}';
const submitted = '{"message":"Submited form successfully."}';
const fields = [field('email', 'EMAIL', { required: true }), field('note', 'TEXTAREA')];
const emails = ['owner@example.com', 'Chef@example.com', 'OWNER@example.com'];

const openForms = () =>
  openWorkspace(
    'forms',
    withForms([
      form('contact', fields, { notifications: { emails } }),
      form('quiet', fields),
      form('closed', fields, { enabled: false, notifications: { emails } }),
    ]),
  );

describe('a submit', () => {
  it('answers the frozen body and the id of the response', async () => {
    const { status, text, headers } = await (await openForms()).submit('contact', { email: 'a@b.co' });
    expect([status, text]).toEqual([200, submitted]);
    expect(headers['x-form-response-id']).toMatch(/^[A-Za-z0-9_.:-]{1,128}$/);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('stores the response, a notification and a mail job for each recipient', async () => {
    const forms = await openForms();
    const before = new Date().toISOString();
    const { headers } = await forms.submit('contact', { email: ' a@b.co ', note: ' ', _source: { page: '/' } });
    const { responses, notifications, mailJobs } = await forms.stored();
    const id = headers['x-form-response-id'];
    const createdAt = responses[0].createdAt;
    expect(responses).toEqual([
      { id, formId: 'form_contact', answers: { email: 'a@b.co' }, meta: { _source: { page: '/' } }, createdAt },
    ]);
    expect(createdAt >= before && createdAt <= new Date().toISOString()).toBe(true);
    expect(notifications).toEqual([
      {
        id: expect.any(String),
        type: 'form_response',
        formId: 'form_contact',
        formResponseId: id,
        readAt: null,
        createdAt,
      },
    ]);
    const { workspaceId } = forms;
    const job = (recipient: string) => ({
      ...dueKey({
        type: 'mail',
        group: workspaceId,
        id: mailJobId({ responseId: String(id), recipient }),
        dueAt: Date.parse(createdAt),
      }),
      workspaceId,
      kind: 'form_response',
      formId: 'form_contact',
      responseId: id,
      recipient,
      createdAt,
    });
    const byId = (a: { sk: string }, b: { sk: string }) => (a.sk < b.sk ? -1 : 1);
    expect(mailJobs.toSorted(byId)).toEqual(emails.slice(0, 2).map(job).sort(byId));
    expect(new Set(mailJobs.map(({ recipient }) => recipient)).size).toBe(2);
  });

  it('stores no mail job for a form without recipients', async () => {
    const forms = await openForms();
    await forms.submit('quiet', { email: 'a@b.co' });
    const { responses, notifications, mailJobs } = await forms.stored();
    expect([responses.length, notifications.length, mailJobs.length]).toEqual([1, 1, 0]);
  });

  it('is stored each time it is sent', async () => {
    const forms = await openForms();
    const answers = [];
    for (let index = 0; index < 3; index++) answers.push(await forms.submit('quiet', { email: 'a@b.co' }));
    const ids = answers.map(({ headers }) => headers['x-form-response-id']);
    expect(new Set(ids).size).toBe(3);
    expect((await forms.stored()).responses.map(({ id }) => id).sort()).toEqual(ids.toSorted());
  });

  it('stores, notifies and mails nothing when it is refused', async () => {
    const forms = await openForms();
    const { status, json, headers } = await forms.submit('contact', { email: 'nobody', other: 1, note: 2 });
    expect([status, json.code, headers['x-form-response-id']]).toEqual([400, 'validation_failed', undefined]);
    const issues = json.errors.map(({ path, code }: { path: string; code: string }) => [path, code]);
    expect(issues).toEqual([
      ['email', 'format'],
      ['note', 'type'],
      ['other', 'unknown_field'],
    ]);
    expect(await forms.stored()).toEqual({ responses: [], notifications: [], mailJobs: [] });
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'application/vnd.api+json'])(
    'may be sent as %s',
    async (type) => {
      const { status } = await (await openForms()).submit('quiet', { email: 'a@b.co' }, { 'content-type': type });
      expect(status).toBe(200);
    },
  );
});

describe('a disabled or unknown form', () => {
  it.each(['closed', 'gone', 'theirs', 'form_contact', '#'])('answers the frozen 404: %s', async (slug) => {
    const forms = await openForms();
    const other = await openWorkspace('forms', withForms([form('theirs', fields)]));
    const { status, text } = await forms.submit(slug, { email: 'a@b.co' }, { 'idempotency-key': 'k' });
    expect([status, text]).toEqual([404, notFound]);
    for (const kitchen of [forms, other])
      expect(await kitchen.stored()).toEqual({ responses: [], notifications: [], mailJobs: [] });
  });

  it('is answered before media type, size and body are checked', async () => {
    const forms = await openForms();
    const large = 'x'.repeat(2_000_000);
    const bodies = [
      ['{', {}],
      [large, {}],
      ['x', { 'content-type': 'text/plain' }],
    ] as const;
    for (const [body, headers] of [...bodies, ['{}', { 'content-encoding': 'gzip', 'idempotency-key': '' }] as const]) {
      const answers = [await forms.submit('closed', body, headers), await forms.submit('gone', body, headers)];
      expect(answers.map(({ status, text }) => [status, text])).toEqual([
        [404, notFound],
        [404, notFound],
      ]);
    }
  });

  it('follows the setting from the next request on', async () => {
    const forms = await openForms();
    const { document } = forms;
    for (const [enabled, status] of [
      [true, 200],
      [false, 404],
      [true, 200],
    ] as const) {
      document.forms[0].enabled = enabled;
      await load(document);
      expect((await forms.submit('contact', { email: 'a@b.co' })).status).toBe(status);
    }
    expect((await forms.stored()).responses).toHaveLength(2);
  });
});

describe('a submit with several reasons for refusal is answered with the first:', () => {
  it.each<[number, string, string, Call & { readonly secret?: 'cmsOnly' | 'reader' | 'revoked' }]>([
    [404, 'not_found', `${pathOf('gone')}/`, { body: '{', headers: { 'content-type': 'text/plain' } }],
    [401, 'missing_api_key', pathOf('gone'), { body: '{', headers: { 'content-type': 'text/plain' } }],
    [401, 'invalid_api_key', pathOf('gone'), { secret: 'revoked', body: '{' }],
    [403, 'permission_denied', pathOf('gone'), { secret: 'cmsOnly', body: '{' }],
    [415, 'unsupported_media_type', pathOf('quiet'), { secret: 'reader', body: '{', headers: { 'content-type': 'x' } }],
    [415, 'unsupported_media_type', pathOf('quiet'), { secret: 'reader', headers: { 'content-type': '' } }],
    [413, 'body_too_large', pathOf('quiet'), { secret: 'reader', body: ' '.repeat(1_048_577) }],
    [400, 'invalid_body', pathOf('quiet'), { secret: 'reader', body: '{', headers: { 'idempotency-key': '' } }],
    [400, 'validation_failed', pathOf('quiet'), { secret: 'reader', body: {}, headers: { 'idempotency-key': '' } }],
  ])('%d %s', async (status, code, path, { secret, ...given }) => {
    const { keys } = await openForms();
    const query = secret === undefined ? '' : `?apiKey=${keys[secret]}`;
    const answer = await call(`POST ${path}${query}`, given);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  it('a key in a header is ignored', async () => {
    const forms = await openForms();
    const { status, json } = await call(`POST ${pathOf('quiet')}`, { key: forms.key, body: { email: 'a@b.co' } });
    expect([status, json.code]).toEqual([401, 'missing_api_key']);
  });
});

describe('a mail job', () => {
  it('has the same id for the same response and recipient, whatever the case of the address', () => {
    const id = mailJobId({ responseId: 'res_1', recipient: 'Owner@Example.com' });
    expect(id).toMatch(/^res_1\.[0-9a-f]{16}$/);
    expect(mailJobId({ responseId: 'res_1', recipient: 'owner@example.com' })).toBe(id);
    expect(mailJobId({ responseId: 'res_1', recipient: 'owner@example.org' })).not.toBe(id);
  });
});
