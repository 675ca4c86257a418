import { expect, it } from '@jest/globals';
import { issuesOf } from '#test/support/answers.ts';
import { call } from '#test/support/call.ts';
import { exported } from '#test/support/document-text.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const text = { key: 'title', name: { en: 'Title' }, type: 'text', localized: true };
const notes = { id: 'notes', name: { en: 'Notes' }, fields: [text] };
const kitchen = await openWorkspace('records', (document) => {
  document.cms = {
    models: [notes, { id: 'empty', name: { en: 'Empty' }, fields: [] }],
    entries: [{ id: 'note_1', modelId: 'notes', values: { title: { en: 'One' } } }],
  };
});
const other = await openWorkspace('records');
const { manage } = kitchen;
const models = async () => (await exported(kitchen.workspaceId)).cms.models;

it('/manage/cms-models returns a database in the form of a document', async () => {
  const { status, json, headers } = await manage('GET cms-models/notes');
  expect(status).toBe(200);
  expect(json).toEqual((await models()).find(({ id }: { id: string }) => id === 'notes'));
  expect(headers['etag']).toMatch(/^"[\w-]{22}"$/);
  for (const path of ['cms-models/nothing', 'cms-models/notes/note_1']) {
    expect((await manage(`GET ${path}`)).json).toMatchObject({ code: 'not_found' });
  }
  expect((await other.manage('GET cms-models/notes')).status).toBe(404);
});

it('/manage/cms-models creates a database with its defaults, which lists find immediately', async () => {
  const made = await manage('PUT cms-models/posts', { name: { en: 'Posts' }, fields: [text] });
  expect(made.status).toBe(201);
  expect(made.headers['location']).toBe('/api/v1/manage/cms-models/posts');
  expect(made.json.fields[0]).toMatchObject({ key: 'title', required: false, hidden: false, many: false });
  const list = await call('GET /api/public/cms/posts/list', { key: kitchen.secretOf('cms:entry:read') });
  expect([list.status, list.json]).toEqual([200, []]);
  const again = await manage('PUT cms-models/posts', { name: { en: 'Posts' }, fields: [text] });
  expect([again.status, again.headers['etag']]).toEqual([200, made.headers['etag']]);
});

it('/manage/cms-models adds a field, which the next response of an entry shows', async () => {
  const read = () => call('GET /api/public/cms/notes/note_1', { key: kitchen.secretOf('cms:entry:read') });
  expect((await read()).json).not.toHaveProperty('extra');
  const fields = [text, { key: 'extra', name: { en: 'Extra' }, type: 'number' }];
  expect((await manage('PUT cms-models/notes', { ...notes, fields })).status).toBe(200);
  expect((await read()).json).toMatchObject({ title: { en: 'One' }, extra: null });
});

it('/manage/cms-models checks a database like an import', async () => {
  const field = { key: 'id', name: { de: 'x' }, type: 'text', options: [{ value: 'a', label: {} }] };
  const { status, json } = await manage('PUT cms-models/bad', { name: { en: 'Bad' }, fields: [field], colour: 1 });
  expect([status, json.code]).toEqual([400, 'validation_failed']);
  expect(issuesOf({ json }).sort()).toEqual([
    'colour unknown_field',
    'fields.0.key not_allowed',
    'fields.0.name.de not_allowed',
    'fields.0.options not_allowed',
  ]);
});

it('/manage/cms-models checks conditions, and carries out a repeated Idempotency-Key one time', async () => {
  const put = (headers: Record<string, string>, name = 'x') =>
    manage('PUT cms-models/empty', { name: { en: name }, fields: [] }, { headers });
  expect((await put({ 'if-match': '"other"' })).status).toBe(412);
  expect((await put({ 'if-none-match': '*' })).status).toBe(412);
  const first = await put({ 'idempotency-key': 'model' });
  await put({}, 'y');
  expect((await put({ 'idempotency-key': 'model' })).text).toBe(first.text);
  expect((await put({ 'idempotency-key': 'model' }, 'z')).json.code).toBe('idempotency_key_reused');
  expect((await manage('GET cms-models/empty')).json.name).toEqual({ en: 'y' });
});

it('/manage/cms-models requires the permission to manage databases, and to read them', async () => {
  const put = (name: string) =>
    call('PUT /api/v1/manage/cms-models/denied', {
      key: kitchen.secretOf(name),
      body: { name: { en: 'Denied' }, fields: [] },
    });
  expect((await put('cms:model:read')).json.message).toContain('cms:model:manage');
  expect((await put('cms:model:manage')).json.message).toContain('cms:model:read');
  expect((await models()).map(({ id }: { id: string }) => id)).not.toContain('denied');
});

it('/manage/cms-models lists databases by name, and finds words', async () => {
  const list = async (query = '') => (await manage(`GET cms-models${query}`)).json;
  const { data, next } = await list('?limit=2');
  expect([data.length, typeof next]).toEqual([2, 'string']);
  const rest = await list(`?limit=2&cursor=${encodeURIComponent(next)}`);
  const all = (await list()).data.map(({ id }: { id: string }) => id);
  expect([...data, ...rest.data].map(({ id }: { id: string }) => id)).toEqual(all.slice(0, 4));
  expect((await list('?q=post')).data).toEqual([(await manage('GET cms-models/posts')).json]);
});

it('/manage/cms-models creates, patches and removes a database, but not one with entries', async () => {
  const made = await manage('POST cms-models', { id: 'extra', name: { en: 'Extra' }, fields: [] });
  expect(made.status).toBe(201);
  expect((await manage('POST cms-models', { id: 'extra', name: { en: 'Extra' }, fields: [] })).json.code).toBe(
    'already_exists',
  );
  const patched = await manage('PATCH cms-models/extra', { name: { en: null, ar: 'إضافي' } });
  expect(patched.json).toMatchObject({ name: { ar: 'إضافي' }, fields: [] });
  const old = { headers: { 'if-match': made.headers['etag'] ?? '' } };
  for (const [verb, body] of [['PATCH', { name: {} }], ['DELETE']] as const) {
    expect((await manage(`${verb} cms-models/extra`, body, old)).json.code).toBe('precondition_failed');
    expect((await other.manage(`${verb} cms-models/extra`, body)).status).toBe(404);
  }
  expect((await manage('DELETE cms-models/extra')).status).toBe(204);
  expect((await manage('GET cms-models/extra')).status).toBe(404);
  const refused = await manage('DELETE cms-models/notes');
  expect([refused.status, refused.json.code]).toEqual([409, 'in_use']);
  expect(refused.json.errors).toEqual([expect.objectContaining({ path: 'cms-entries/notes/note_1', code: 'in_use' })]);
});

it('/manage/cms-models keeps the shape of a field with values, and names the entries that have one', async () => {
  const number = { key: 'size', name: { en: 'Size' }, type: 'number' };
  const self = { key: 'next', name: { en: 'Next' }, type: 'relation', relation: { to: 'cms:shapes' } };
  const put = (...fields: object[]) => manage('PUT cms-models/shapes', { name: { en: 'Shapes' }, fields });
  const made = await put(text, number, self);
  expect([made.status, made.headers['x-missing-references']]).toEqual([201, undefined]);
  const values = { title: { en: 'One' }, next: 'shape_1' };
  const entry = await manage('PUT cms-entries/shapes/shape_1', { values });
  expect([entry.status, entry.headers['x-missing-references']]).toEqual([201, undefined]);
  for (const field of [
    { ...text, type: 'longText' },
    { ...text, localized: false },
    { ...self, relation: { to: 'cms:notes' } },
    { ...self, relation: { to: 'cms:shapes', many: true } },
  ]) {
    const { status, json } = await put(...[text, number, self].map((own) => (own.key === field.key ? field : own)));
    expect([status, json.code]).toEqual([409, 'in_use']);
    expect(json.errors).toEqual([expect.objectContaining({ path: 'cms-entries/shapes/shape_1', code: 'in_use' })]);
  }
  // A field without values accepts any shape. A field may be removed with its values.
  expect((await put(text, { ...number, type: 'date' })).status).toBe(200);
  await manage('PATCH cms-entries/shapes/shape_1', { values: { title: null } });
  expect((await put({ ...text, type: 'longText' })).status).toBe(200);
});

it('/manage/cms-models changes the shape of a field whose values are all blank', async () => {
  const fields = [
    text,
    { key: 'tags', name: { en: 'Tags' }, type: 'relation', relation: { to: 'cms:notes', many: true } },
  ];
  const plain = ['body', 'size'].map((key) => ({ key, name: { en: key }, type: 'longText' }));
  await manage('PUT cms-models/blanks', { name: { en: 'Blanks' }, fields: [...fields, ...plain] });
  const values = [
    { title: {}, tags: [], body: '', size: null },
    { title: { en: ' ', ar: '' }, tags: null, body: ' \n', size: '' },
  ];
  for (const [index, own] of values.entries()) await manage(`PUT cms-entries/blanks/blank_${index}`, { values: own });
  const numbers = [...fields, ...plain].map(({ key }) => ({ key, name: { en: key }, type: 'number' }));
  const put = () => manage('PUT cms-models/blanks', { name: { en: 'Blanks' }, fields: numbers });
  await manage('PUT cms-entries/blanks/full', { values: { size: 'm' } });
  expect((await put()).json.errors).toEqual([expect.objectContaining({ path: 'cms-entries/blanks/full' })]);
  await manage('DELETE cms-entries/blanks/full');
  expect((await put()).status).toBe(200);
});

it('/manage/cms-models finds the values of every field if all fields of a large database change', async () => {
  const fieldsOf = (type: string) =>
    Array.from({ length: 150 }, (_, index) => ({ key: `f${index}`, name: { en: `f${index}` }, type }));
  await manage('PUT cms-models/wide', { name: { en: 'Wide' }, fields: fieldsOf('text') });
  await manage('PUT cms-entries/wide/one', { values: {} });
  await manage('PUT cms-entries/wide/two', { values: { f149: 'full' } });
  const put = () => manage('PUT cms-models/wide', { name: { en: 'Wide' }, fields: fieldsOf('number') });
  expect((await put()).json.errors).toEqual([expect.objectContaining({ path: 'cms-entries/wide/two' })]);
  await manage('PATCH cms-entries/wide/two', { values: { f149: null } });
  expect((await put()).status).toBe(200);
});

it('/manage/cms-models lets an entry keep values that a later change requires or no longer offers, until they are changed', async () => {
  const choices = (...values: string[]) => values.map((value) => ({ value, label: { en: value } }));
  const fields = (options: object[], required: boolean) => [
    text,
    { key: 'size', name: { en: 'Size' }, type: 'select', options },
    { key: 'day', name: { en: 'Day' }, type: 'date', required },
  ];
  await manage('PUT cms-models/shirts', { name: { en: 'Shirts' }, fields: fields(choices('s', 'm'), false) });
  await manage('PUT cms-entries/shirts/one', { values: { title: { en: 'One' }, size: 's' } });
  const changed = await manage('PATCH cms-models/shirts', { fields: fields(choices('m', 'l'), true) });
  expect(changed.status).toBe(200);

  const path = 'cms-entries/shirts/one';
  const hidden = await manage(`PATCH ${path}`, { published: false });
  expect([hidden.status, hidden.headers['x-missing-references']]).toEqual([200, undefined]);
  const titled = await manage(`PATCH ${path}`, { values: { title: { en: 'First' }, size: 's', day: null } });
  expect(titled.json).toMatchObject({ published: false, values: { title: { en: 'First' }, size: 's', day: null } });

  const refused = await manage(`PATCH ${path}`, { values: { size: 'xl' } });
  expect(refused.json.errors).toEqual([expect.objectContaining({ path: 'values.size', code: 'not_allowed' })]);
  const whole = await manage(`PUT ${path}`, { values: { title: { en: 'First' }, size: 's' } });
  expect([whole.status, whole.json.errors.map(({ path: at }: { path: string }) => at)]).toEqual([
    400,
    ['values.size', 'values.day'],
  ]);
  const mended = await manage(`PATCH ${path}`, { values: { size: 'l', day: '2026-01-31' } });
  expect([mended.status, mended.json.values]).toEqual([200, { title: { en: 'First' }, size: 'l', day: '2026-01-31' }]);
  const emptied = await manage(`PATCH ${path}`, { values: { day: null } });
  expect(emptied.json.errors).toEqual([expect.objectContaining({ path: 'values.day', code: 'required' })]);
});
