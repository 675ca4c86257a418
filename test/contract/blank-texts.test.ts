import { beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';

/** Texts that show nothing on any screen, from keyboards, copied pages and programs. */
const nothing = ['\u200b', '\u2060\ufeff', '\u3164', '\u00ad\u00ad', '\u061c \u200f\n', '\u0085\t', '\ufe0f', '\u180e'];

let kitchen: Workspace<'records'>;
let key: string;
const asked = (request: string, body?: unknown) => call(request, { key, ...(body !== undefined && { body }) });
const issuesOf = ({ status, json }: Awaited<ReturnType<typeof call>>) => [
  status,
  json.errors?.map(({ path, code }: { path: string; code: string }) => `${path}:${code}`),
];

const field = (name: string, more: object) => ({ key: name, name: { en: name }, type: 'text', ...more });

beforeAll(async () => {
  kitchen = await openWorkspace('records', (document) => {
    const fields = [
      field('title', { required: true, localized: true }),
      field('label', { required: true }),
      field('note', {}),
    ];
    const values = { title: { en: 'Sign', ar: 'لافتة' }, label: 'One' };
    const entries = [{ id: 'sign_1', modelId: 'signs', values }];
    document.cms = { models: [{ id: 'signs', name: { en: 'Signs' }, fields }], entries };
    const validations = { required: true, message: { en: '\u200b', ar: 'نص مطلوب' } };
    const question = (ref: string, more: object) => ({ id: ref, ref, title: { en: ref }, type: 'TEXTAREA', ...more });
    const asks = [question('wish', { validations }), question('more', { order: 2, validations: {} })];
    document.forms.push({ id: 'form_wish', slug: 'wish', title: { en: 'Wish' }, fields: asks });
  });
  key = kitchen.secretOf('member');
  const permissions = ['messaging:conversation:read', 'messaging:conversation:engage'];
  await kitchen.manage('PATCH members/mem_few', { permissions });
});

describe.each(nothing)('a text that shows nothing (%j)', (text) => {
  it('is no message', async () => {
    const body = { senderType: 'customer', text };
    const sent = await asked('POST /api/v1/connect/conversations/conv_1/messages', body);
    expect(issuesOf(sent)).toEqual([400, ['text:min_length']]);
  });

  it('is no answer to a form, and its message comes in a language that shows something', async () => {
    const path = `POST /api/public/forms/wish?apiKey=${key}`;
    const missing = await call(path, { body: { wish: text }, headers: { 'Accept-Language': 'en' } });
    expect(issuesOf(missing)).toEqual([400, ['wish:required']]);
    expect(missing.json.errors[0].message).toBe('نص مطلوب');
    const stored = await call(path, { body: { wish: 'Tea', more: text } });
    const { answers } = (await kitchen.manage(`GET form-responses/${stored.headers['x-form-response-id']}`)).json;
    expect(answers).toEqual({ wish: 'Tea' });
  });

  it('is no value of a required field, and counts as empty in filters and fallbacks', async () => {
    const path = 'PATCH /api/public/cms/signs/sign_1';
    const refused = await asked(path, { values: { label: text } });
    expect(issuesOf(refused)).toEqual([400, ['values.label:required']]);
    const emptied = await asked(path, { values: { title: { en: text, ar: null } } });
    expect(issuesOf(emptied)).toEqual([400, ['values.title:required']]);
    expect((await asked(path, { values: { note: text, title: { ar: text } } })).status).toBe(200);
    const found = await asked('GET /api/public/cms/signs/list?filter[note][exists]=false&locale=ar&fallback=en');
    expect(found.json.map(({ title }: { title: string }) => title)).toEqual(['Sign']);
  });

  it('is no value of an option', async () => {
    const options = [{ value: text, label: { en: 'Nothing' } }];
    const fields = [{ id: 'q', ref: 'q', title: { en: 'Q' }, type: 'SELECT', validations: { options } }];
    const made = await kitchen.manage('POST forms', { slug: 'options', title: { en: 'Options' }, fields });
    expect(issuesOf(made)).toEqual([400, ['fields.0.validations.options.0.value:required']]);
  });

  it('is no detail of a customer, unless its control characters are refused', async () => {
    if (/\p{Cc}/u.test(text)) {
      const refused = await kitchen.manage('PUT customers/cus_2', { name: text });
      expect(issuesOf(refused)).toEqual([400, ['name:format']]);
      return;
    }
    const { json } = await kitchen.manage('PUT customers/cus_2', { name: text, email: text, phone: text });
    expect(json).toMatchObject({ name: null, email: null, phone: null });
    const externalId = `crm-${nothing.indexOf(text)}`;
    const customer = { externalId, name: text, email: text };
    await asked('POST /api/v1/connect/conversations', { channelId: 'ch_1', customer });
    const [stored] = (await kitchen.manage(`GET customers?q=${externalId}`)).json.data;
    expect(stored).toMatchObject({ externalId, name: null, email: null });
  });
});
