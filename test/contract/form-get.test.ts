import { describe, expect, it } from '@jest/globals';
import { keys } from '#lib/table/keys.ts';
import { call } from '#test/support/call.ts';
import { field, form, pathOf, withForms } from '#test/support/presets/forms.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load, testTable } from '#test/support/world.ts';

const notFound = '{"message":"Form not found."}';
const options = [{ value: 's', label: { en: 'Small', ar: 'صغير' } }];
const message = { en: 'Choose one.', ar: 'اختر واحدا.' };

const fields = [
  field('last', 'SELECT', { required: true, options, message }, { order: 3 }),
  field('tie_b', 'TEXT', { minLength: 1, maxLength: 5, pattern: '[a-z]+' }, { order: 2 }),
  field('tie_a', 'NUMBER', { min: -1, max: 2.5, step: 0.5 }, { order: 2 }),
  field('first', 'DATE', { minDate: '2026-01-01' }, { order: -1.5 }),
];

const own = await openWorkspace(
  'forms',
  withForms([
    form('contact', fields, { notifications: { emails: ['secret@example.com'] } }),
    form('closed', [], { enabled: false }),
    form('اتصل-بنا', [], { id: 'form_arabic' }),
  ]),
);
const other = await openWorkspace('forms', withForms([form('contact', []), form('theirs', [])]));

describe('GET /api/public/forms/{slug}', () => {
  it('answers the form with its fields by order, ties as stored, and nothing else', async () => {
    const answer = await own.read('contact');
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      id: 'form_contact',
      slug: 'contact',
      title: { en: 'Form contact' },
      fields: [fields[3], fields[1], fields[2], fields[0]],
    });
    expect(Object.keys(answer.json)).toEqual(['id', 'slug', 'title', 'fields']);
    expect(Object.keys(answer.json.fields[0])).toEqual(['id', 'ref', 'title', 'type', 'order', 'validations']);
    expect(answer.text).not.toMatch(/secret@example|enabled|notifications/);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('answers a disabled form with the same members', async () => {
    expect((await own.read('closed')).json).toEqual({
      id: 'form_closed',
      slug: 'closed',
      title: { en: 'Form closed' },
      fields: [],
    });
  });

  it('finds a slug of any script', async () => {
    expect((await own.read('اتصل-بنا')).json.slug).toBe('اتصل-بنا');
  });

  it('answers HEAD like GET, without the body', async () => {
    const { text } = await own.read('contact');
    const head = await call(`HEAD ${pathOf('contact')}?apiKey=${own.key}`);
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', `${Buffer.byteLength(text)}`]);
  });

  it.each(['gone', 'theirs', 'CONTACT', 'contact ', 'contact#', '..', 'form_contact', 'x'.repeat(101), '\u0000'])(
    'answers the unknown slug %j with the frozen body',
    async (slug) => {
      const { status, text, headers } = await own.read(slug);
      expect([status, text]).toEqual([404, notFound]);
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it("answers the form of the key's workspace", async () => {
    expect((await own.read('contact')).json.fields).toHaveLength(4);
    expect((await other.read('contact')).json.fields).toHaveLength(0);
    expect((await own.read('theirs')).text).toBe((await own.read('gone')).text);
    expect((await other.read('theirs')).status).toBe(200);
  });

  it('accepts the key in the query only', async () => {
    const { status, json, headers } = await call(`GET ${pathOf('contact')}`, { key: own.key });
    expect([status, json.code]).toEqual([401, 'missing_api_key']);
    expect(json.message).toContain('apiKey query parameter');
    expect(headers['www-authenticate']).toBe('Bearer');
    const twice = await call(`GET ${pathOf('contact')}?apiKey=${own.key}&apiKey=${own.key}`);
    expect([twice.status, twice.json.code]).toEqual([401, 'invalid_api_key']);
  });

  it('requires forms:form:read', async () => {
    const { status, json } = await own.read('contact', own.keys.cmsOnly);
    expect([status, json.code]).toEqual([403, 'permission_denied']);
    expect(json.message).toContain('forms:form:read');
    expect((await own.read('gone', own.keys.cmsOnly)).text).toBe(JSON.stringify(json));
  });

  it('accepts GET and POST', async () => {
    const { status, headers } = await call(`PUT ${pathOf('contact')}?apiKey=${own.key}`);
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, POST']);
  });
});

describe('a changed form', () => {
  it('is in the next answer, also with a new slug', async () => {
    const changing = await openWorkspace('forms', withForms([form('one', []), form('two', [field('a', 'TEXT')])]));
    expect((await changing.read('one')).status).toBe(200);
    expect((await changing.read('two')).json.fields).toHaveLength(1);
    const { document } = changing;
    document.forms[0].slug = 'three';
    document.forms[1].slug = 'one';
    document.forms[1].title = { en: 'New' };
    await load(document);
    expect((await changing.read('one')).json).toMatchObject({ id: 'form_two', title: { en: 'New' } });
    expect((await changing.read('two')).text).toBe(notFound);
    expect((await changing.read('three')).json.id).toBe('form_one');
  });

  it('is not found by a slug that was left over', async () => {
    const { workspaceId } = own;
    await testTable().put({ ...keys.slug(workspaceId, 'form', 'former'), id: 'form_contact' });
    expect((await own.read('former')).text).toBe(notFound);
  });
});
