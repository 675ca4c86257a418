import { describe, expect, it } from '@jest/globals';
import type { Permission } from '#lib/domain/access/permission.ts';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

// What a write brings about may need more than the permission of its kind (lib/spec/additions.md section 2).

const open = { key: 'city', name: { en: 'City' }, type: 'text' };
const closed = { key: 'wage', name: { en: 'Wage' }, type: 'number', hidden: true };
const notes = { key: 'notes', name: { en: 'Notes' }, type: 'longText', localized: true, hidden: true };
const staff = { id: 'staff', name: { en: 'Staff' }, fields: [open, closed, notes] };
const values = { city: 'Jeddah', wage: 7_300, notes: { ar: 'سري' } };

const kitchen = await openWorkspace('records', (document) => {
  document.cms = {
    models: [staff, { ...staff, id: 'crew' }, { ...staff, id: 'team' }, { ...staff, id: 'guests' }],
    entries: ['staff', 'crew', 'team', 'guests'].map((modelId) => ({ id: 'one', modelId, values })),
  };
});
const { manage, keyWith } = kitchen;

const newest = async () => (await manage('GET audit-events?limit=1')).json.data[0];

/** Calls with a key that has these permissions. */
const callerWith = async (...permissions: Permission[]) => {
  const key = await keyWith(permissions);
  return (request: string, body?: object) => manage(request, body, { key });
};

const refusalOf = ({ status, json }: { status: number; json: { code?: string; message?: string } }) => [
  status,
  json.code,
  /[a-z]+:[a-z]+:[a-z-]+/.exec(json.message ?? '')?.[0],
];
const lacks = (permission: Permission) => [403, 'permission_denied', permission];

const unseeing = await callerWith('cms:model:read', 'cms:model:manage', 'cms:entry:read');
const seeing = await callerWith('cms:model:read', 'cms:model:manage', 'cms:entry:read', 'cms:entry:read-hidden');
describe('a change of a database by a caller without cms:entry:read-hidden', () => {
  const needsSight = lacks('cms:entry:read-hidden');

  it.each<[string, object[]]>([
    ['shows a hidden field', [open, { ...closed, hidden: false }, notes]],
    [
      'leaves `hidden` out, which is false by default',
      [open, { key: 'wage', name: { en: 'Wage' }, type: 'number' }, notes],
    ],
    ['removes a hidden field', [open, closed]],
    ['removes all fields', []],
    ['changes the type of a hidden field', [open, { ...closed, type: 'text' }, notes]],
    ['changes a hidden field to texts without languages', [open, closed, { ...notes, localized: false }]],
    ['renames the key of a hidden field', [open, { ...closed, key: 'salary' }, notes]],
  ])('is refused when it %s', async (_, fields) => {
    expect(refusalOf(await unseeing('PATCH cms-models/staff', { fields }))).toEqual(needsSight);
    expect(refusalOf(await unseeing('PUT cms-models/staff', { name: { en: 'Staff' }, fields }))).toEqual(needsSight);
    const changes = [{ method: 'PATCH', kind: 'cms-models', id: 'staff', record: { fields } }];
    const [{ status, error }] = (await unseeing('POST changes', { changes })).json.results;
    expect(refusalOf({ status, json: error })).toEqual(needsSight);
    expect((await manage('GET cms-models/staff')).json.fields).toMatchObject(staff.fields);
  });

  it('may change all other members, also those of a hidden field', async () => {
    const fields = [
      { ...closed, name: { en: 'Salary' } },
      { ...open, hidden: true },
      { ...notes, required: true },
    ];
    const { status } = await unseeing('PATCH cms-models/crew', { name: { en: 'Crew' }, fields });
    expect(status).toBe(200);
  });

  it.each<[string, object]>([
    ['with the type of its values', { ...closed, hidden: false }],
    ['with another type, so that a later change of the type would show them', { ...open, key: 'wage' }],
  ])('is refused when it adds the key of a removed field again, %s', async (_, field) => {
    expect((await seeing('PATCH cms-models/team', { fields: [open] })).status).toBe(200);
    const refused = await unseeing('PATCH cms-models/team', { fields: [open, field] });
    expect(refusalOf(refused)).toEqual(needsSight);
    expect(refused.json.message).toContain('wage');
    expect((await unseeing('PATCH cms-models/team', { fields: [open, { ...field, hidden: true }] })).status).toBe(200);
  });

  it('is refused when it gives a field the type of values that nobody without the permission has seen', async () => {
    await seeing('PATCH cms-models/guests', { fields: [open, { ...open, key: 'wage' }] });
    const fields = [open, { ...closed, hidden: false }];
    expect(refusalOf(await unseeing('PATCH cms-models/guests', { fields }))).toEqual(needsSight);
    expect((await seeing('PATCH cms-models/guests', { fields })).status).toBe(200);
    const entry = await call('GET /api/public/cms/guests/one', { key: kitchen.secretOf('cms:entry:read') });
    expect(entry.json).toMatchObject({ wage: 7_300 });
  });

  it('may add a field under a new key, and a database of its own', async () => {
    const fresh = { key: 'fresh', name: { en: 'Fresh' }, type: 'text' };
    const { fields } = (await manage('GET cms-models/crew')).json;
    expect((await unseeing('PATCH cms-models/crew', { fields: [...fields, fresh] })).status).toBe(200);
    expect((await unseeing('PUT cms-models/own', { name: { en: 'Own' }, fields: [open, closed] })).status).toBe(201);
  });
});

it('the audit event of a database names each changed field by its key', async () => {
  const fields = [
    { ...open, name: { en: 'Town' } },
    { ...closed, hidden: false },
  ];
  await manage('PUT cms-models/seen', { name: { en: 'Seen' }, fields: [open, closed, notes] });
  await manage('PATCH cms-models/seen', { fields });
  expect((await newest()).changed).toEqual(['fields.city.name.en', 'fields.notes', 'fields.wage.hidden']);
  await manage('PATCH cms-models/seen', { fields: [...fields.toReversed(), { ...open, key: 'land' }] });
  expect((await newest()).changed).toEqual(['fields', 'fields.land']);
  await manage('PATCH cms-models/seen', { name: { en: 'Shown' }, fields: [] });
  expect((await newest()).changed).toEqual(['fields.city', 'fields.land', 'fields.wage', 'name.en']);
});

const withoutAnswers = await callerWith('forms:form:manage');
const withAnswers = await callerWith('forms:form:manage', 'forms:response:read');
describe('a change of a form by a caller without forms:response:read', () => {
  const mail = (...emails: string[]) => ({ notifications: { emails } });

  it('adds no recipient, whatever the method', async () => {
    await withAnswers('PATCH forms/form_1', mail('desk@example.com', 'Boss@example.com'));
    const more = mail('desk@example.com', 'spy@example.com');
    expect(refusalOf(await withoutAnswers('PATCH forms/form_1', more))).toEqual(lacks('forms:response:read'));
    const form = { slug: 'survey', title: { en: 'Survey' }, ...mail('spy@example.com') };
    expect(refusalOf(await withoutAnswers('POST forms', form))).toEqual(lacks('forms:response:read'));
    expect(refusalOf(await withoutAnswers('PUT forms/form_new', form))).toEqual(lacks('forms:response:read'));
    expect((await manage('GET forms/form_1')).json.notifications.emails).toHaveLength(2);
  });

  it('may remove recipients, write them in another case, and change everything else', async () => {
    expect((await withoutAnswers('PATCH forms/form_1', mail('DESK@example.com'))).status).toBe(200);
    expect((await newest()).changed).toEqual(['notifications.emails']);
    expect((await withoutAnswers('PATCH forms/form_1', { title: { en: 'Write to us' } })).status).toBe(200);
    expect((await withoutAnswers('POST forms', { slug: 'plain', title: { en: 'Plain' } })).status).toBe(201);
  });
});

const managing: readonly Permission[] = ['messaging:agent:read', 'messaging:agent:manage'];
const narrow = await callerWith(...managing);
const readers: readonly Permission[] = ['menu:product:read', 'menu:category:read', 'forms:form:read'];
const wide = await callerWith(...managing, ...readers, 'cms:entry:read');
describe('a change of an agent', () => {
  it('needs the permission to read what a new tool or a new database lets the agent tell', async () => {
    const cases: readonly [object, Permission][] = [
      [{ tools: ['search_menu'] }, 'menu:product:read'],
      [{ tools: ['get_product', 'hand_over'] }, 'menu:product:read'],
      [{ tools: ['list_categories'] }, 'menu:category:read'],
      [{ tools: ['get_form'] }, 'forms:form:read'],
      [{ tools: ['search_cms'], databases: ['staff'] }, 'cms:entry:read'],
      [{ tools: ['search_cms'] }, 'cms:entry:read'],
    ];
    for (const [reach, permission] of cases) {
      expect([reach, refusalOf(await narrow('POST agents', { name: 'A', ...reach }))]).toEqual([
        reach,
        lacks(permission),
      ]);
      expect((await wide('POST agents', { name: 'A', ...reach })).status).toBe(201);
    }
    const caller = await callerWith(...managing, ...readers);
    expect(refusalOf(await caller('POST agents', { name: 'All tools by default' }))).toEqual(lacks('cms:entry:read'));
  });

  it('needs nothing more for what the agent reaches already, or reaches no longer', async () => {
    const { id } = (await wide('POST agents', { name: 'B', tools: ['search_cms'], databases: ['staff', 'crew'] })).json;
    const patch = (body: object) => narrow(`PATCH agents/${id}`, body);
    expect((await patch({ name: 'C', databases: ['crew'], tools: ['search_cms', 'hand_over'] })).status).toBe(200);
    expect(refusalOf(await patch({ databases: ['crew', 'team'] }))).toEqual(lacks('cms:entry:read'));
    expect(refusalOf(await patch({ databases: null }))).toEqual(lacks('cms:entry:read'));
    expect((await wide(`PATCH agents/${id}`, { databases: null })).status).toBe(200);
    expect((await newest()).changed).toEqual(['databases']);
    expect((await patch({ databases: ['team'] })).status).toBe(200);
    expect((await patch({ tools: [] })).status).toBe(200);
    expect(refusalOf(await patch({ tools: ['search_cms'] }))).toEqual(lacks('cms:entry:read'));
  });
});

it("a stored customer's external id, which opens the conversations to a visitor, needs messaging:conversation:read", async () => {
  const base: readonly Permission[] = ['messaging:customer:read', 'messaging:customer:manage'];
  const blind = await callerWith(...base);
  const reader = await callerWith(...base, 'messaging:conversation:read');
  const needed = lacks('messaging:conversation:read');
  expect(refusalOf(await blind('PATCH customers/cus_1', { externalId: 'visitor-x' }))).toEqual(needed);
  expect(refusalOf(await blind('PATCH customers/cus_2', { externalId: 'visitor-x' }))).toEqual(needed);
  expect(refusalOf(await blind('PUT customers/cus_2', { externalId: 'visitor-x', name: 'Aziz' }))).toEqual(needed);
  const { status } = await blind('PATCH customers/cus_1', { externalId: ' e-1 ', name: 'Huda A.' });
  expect(status).toBe(200);
  expect((await reader('PATCH customers/cus_2', { externalId: 'member-2' })).status).toBe(200);
  expect((await newest()).changed).toEqual(['externalId']);
  expect((await blind('PATCH customers/cus_2', { externalId: null })).status).toBe(200);
  expect((await blind('POST customers', { externalId: 'fresh', name: 'Fresh' })).status).toBe(201);
});
