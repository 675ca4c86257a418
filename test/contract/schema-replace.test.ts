import { expect, it } from '@jest/globals';
import { issuesOf } from '#test/support/answers.ts';
import { call } from '#test/support/call.ts';
import { notes, openDatabases, text } from '#test/support/databases.ts';
import { exported } from '#test/support/document-text.ts';

const kitchen = await openDatabases();
const { manage } = kitchen;
const models = async () => (await exported(kitchen.workspaceId)).cms.models;

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
