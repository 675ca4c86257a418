import { expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import type { Management } from '#lib/client/manage.ts';
import type { Records } from '#lib/client/records.ts';
import { Transport } from '#lib/client/transport.ts';
import { orNull } from '#lib/domain/schema-rules.ts';
import { RecordId } from '#lib/domain/text/identifier.ts';
import { Localized } from '#lib/domain/text/localized.ts';
import { Slug } from '#lib/domain/text/slug.ts';
import { TimeStamp } from '#lib/domain/text/time-stamp.ts';
import { flag } from '#lib/http/query-parameters.ts';
import { createdAndUpdated, crud, defineKind, edits } from '#lib/kinds/define-kind.ts';
import { notificationKinds } from '#lib/kinds/forms.ts';

// The one declaration. Everything below must be loaded after it.
const Course = z.strictObject({
  id: RecordId,
  slug: Slug,
  name: Localized,
  teacher: z.optional(z.string()),
  closedAt: orNull(TimeStamp),
  productIds: z._default(z.array(RecordId), () => []),
  createdAt: TimeStamp,
  updatedAt: TimeStamp,
});
Object.assign(notificationKinds, {
  course: defineKind({
    documentPath: ['courses'],
    schema: z.partial(Course, createdAndUpdated),
    unique: 'slug',
    localized: ['name'],
    references: [{ path: 'productIds[]', to: 'menuProduct', mayBeAbsent: true }],
    events: { path: 'courses', actions: edits, read: ['menu:product:read'] },
    managed: {
      path: 'courses',
      noun: 'course',
      verbs: crud('menu:product:read', 'menu:product:manage'),
      label: { en: 'Course', ar: 'دورة' },
      idPrefix: 'course_',
      hasHistory: true,
      order: 'newest',
      searched: ['name', 'teacher'],
      listParameters: {
        teacher: { schema: z.optional(z.string()), text: 'Only courses of this teacher.' },
        isOpen: {
          schema: z.optional(flag()),
          text: '`true` lists only courses that are open.',
          matches: ({ closedAt }, isOpen) => isOpen === (closedAt === null),
        },
      },
      words: { record: 'A course as it is stored.', input: 'A course to store.' },
    },
  }),
});

const { findEndpoints, routeTable } = await import('#lib/endpoints.ts');
const { encodeRoutes } = await import('#lib/http/router.ts');
process.env['ROUTES'] = encodeRoutes(routeTable(await findEndpoints()));
const { call } = await import('#test/support/call.ts');
const { openWorkspace } = await import('#test/support/workspace.ts');
const { exported, importText } = await import('#test/support/document-text.ts');
const { openApiDocument } = await import('#lib/openapi/document.ts');
const { documentSchema } = await import('#lib/workspace/document-schema.ts');
const { management } = await import('#lib/client/manage.ts');
const { clientTypes } = await import('#lib/client-package/client-types.ts');
const { kindTexts } = await import('#lib/console/app/areas/activity/texts.ts');

const lunch = { slug: 'lunch', name: { en: 'Lunch', ar: 'غداء' } };

it('is created, read, listed, searched, replaced, changed and removed', async () => {
  const { manage } = await openWorkspace('records');
  const made = await manage('POST courses', lunch);
  expect(made).toMatchObject({
    status: 201,
    json: { ...lunch, id: expect.stringMatching(/^course_/), productIds: [], createdAt: made.json.updatedAt },
  });
  expect(Date.parse(made.json.createdAt)).toBeGreaterThan(0);
  expect(made.headers['location']).toBe(`/api/v1/manage/courses/${made.json.id}`);
  const { id } = made.json;
  expect(await manage(`GET courses/${id}`)).toMatchObject({ status: 200, json: made.json });
  await manage('PUT courses/brunch', { slug: 'brunch', name: { en: 'A brunch' } });
  const { json: page } = await manage('GET courses');
  expect(page.data.map((course: { slug: string }) => course.slug)).toEqual(['brunch', 'lunch']);
  const { json: found } = await manage(`GET courses?q=${encodeURIComponent('غداء')}`);
  expect(found.data).toHaveLength(1);
  const changed = await manage(`PATCH courses/${id}`, { name: { ar: null } });
  expect(changed).toMatchObject({ status: 200, json: { name: { en: 'Lunch' }, createdAt: made.json.createdAt } });
  expect(changed.json.updatedAt > made.json.updatedAt).toBe(true);
  const { json: events } = await manage(`GET audit-events?recordKind=courses&recordId=${id}`);
  expect(events.data.map((event: { action: string }) => event.action)).toEqual(['update', 'create']);
  expect((await manage(`DELETE courses/${id}`)).status).toBe(204);
  expect(await manage(`GET courses/${id}`)).toMatchObject({ status: 404, json: { message: 'Course not found.' } });
});

it('is listed in its order, by its own parameters and by the words of its members, page by page', async () => {
  const { manage } = await openWorkspace('records');
  const list = async (query: string) => {
    const { json } = await manage(`GET courses?${query}`);
    return json.data.map(({ id }: { id: string }) => id);
  };
  const made = [
    { id: 'a', teacher: 'Sara', closedAt: null, createdAt: '2026-01-02T00:00:00.000Z' },
    { id: 'b', teacher: 'Omar', closedAt: null, createdAt: '2026-01-03T00:00:00.000Z' },
    { id: 'c', teacher: 'Sara', closedAt: '2026-02-01T00:00:00.000Z', createdAt: '2026-01-01T00:00:00.000Z' },
  ];
  for (const course of made)
    expect(
      (await manage('POST courses', { ...course, slug: course.id, name: { en: `Course ${course.id}` } })).status,
    ).toBe(201);
  expect(await list('')).toEqual(['b', 'a', 'c']);
  expect(await list('teacher=Sara')).toEqual(['a', 'c']);
  expect(await list('teacher=Sara&isOpen=true')).toEqual(['a']);
  expect(await list('isOpen=false')).toEqual(['c']);
  expect(await list('q=SARA%20course')).toEqual(['a', 'c']);
  const first = await manage('GET courses?limit=2');
  expect(await list(`limit=2&cursor=${first.json.next}`)).toEqual(['c']);
  expect(await manage(`GET courses?limit=2&isOpen=true&cursor=${first.json.next}`)).toMatchObject({ status: 400 });
  expect(await manage('GET courses?isOpen=1')).toMatchObject({ status: 400, json: { errors: [{ path: 'isOpen' }] } });
});

it('is checked by its schema, its unique member and its references, and needs its permissions', async () => {
  const { manage, secretOf } = await openWorkspace('records');
  expect((await manage('POST courses', lunch)).status).toBe(201);
  expect(await manage('POST courses', { ...lunch, price: 1 })).toMatchObject({
    status: 400,
    json: {
      errors: expect.arrayContaining([
        expect.objectContaining({ path: 'price', code: 'unknown_field' }),
        expect.objectContaining({ path: 'slug', code: 'duplicate' }),
      ]),
    },
  });
  const { headers } = await manage('POST courses', { ...lunch, slug: 'x', productIds: ['prod_1', 'gone'] });
  expect(headers['x-missing-references']).toBe('productIds.1');
  const read = { key: secretOf('menu:product:read') };
  expect((await manage('GET courses', undefined, read)).status).toBe(200);
  expect(await manage('POST courses', lunch, read)).toMatchObject({
    status: 403,
    json: { message: 'This API key lacks the permission menu:product:manage.' },
  });
});

it('takes part in a bulk request, and is unknown under another path', async () => {
  const { manage } = await openWorkspace('records');
  const changes = [
    { method: 'POST', kind: 'courses', record: lunch },
    { method: 'PATCH', kind: 'courses', id: 'none', record: {} },
  ];
  const { json } = await manage('POST changes', { changes });
  expect(json.results.map(({ status }: { status: number }) => status)).toEqual([201, 404]);
  expect((await manage('GET course')).status).toBe(404);
  expect(await manage('DELETE courses')).toMatchObject({ status: 405 });
});

it('is in the feed of events, and keeps its versions', async () => {
  const { manage, keyWith } = await openWorkspace('records');
  await manage('PUT courses/brunch', lunch);
  await manage('PATCH courses/brunch', { teacher: 'Sara' });
  const { json: versions } = await manage('GET courses/brunch/versions');
  expect(versions.data.map(({ changed }: { changed: string[] }) => changed)).toEqual([['teacher'], []]);
  await manage('DELETE courses/brunch');
  expect((await manage('GET deleted?kind=courses')).json.data).toMatchObject([{ id: 'brunch', name: 'Lunch' }]);
  expect(await manage('POST courses/brunch/restore', { version: versions.data[1].id })).toMatchObject({
    status: 201,
    json: lunch,
  });
  const feed = (key: string) => call('GET /api/v1/events?types=course.*', { key });
  const { json } = await feed(await keyWith(['events:event:read', 'menu:product:read']));
  const types = ['created', 'updated', 'deleted', 'created'].map((action) => ({ type: `course.${action}` }));
  expect(json.data).toMatchObject(types);
  expect((await feed(await keyWith(['events:event:read']))).json.data).toEqual([]);
});

it('is exported, and imported again', async () => {
  const { manage, workspaceId } = await openWorkspace('records');
  await manage('PUT courses/course_lunch', lunch);
  const document = await exported(workspaceId);
  expect(document.courses).toEqual([expect.objectContaining({ id: 'course_lunch', ...lunch })]);
  const [{ createdAt, updatedAt, ...course }] = document.courses;
  const edited = {
    ...document,
    courses: [
      { ...course, name: { en: 'Late lunch' } },
      { ...lunch, slug: 'new' },
    ],
  };
  const result = await importText(JSON.stringify(edited), 'json');
  expect(result.failures).toEqual([]);
  const { json: kept } = await manage('GET courses/course_lunch');
  expect(kept).toEqual({ ...course, name: { en: 'Late lunch' }, createdAt, updatedAt });
  const { json: added } = await manage(`GET courses?q=${encodeURIComponent('غداء')}`);
  expect(added.data).toMatchObject([{ slug: 'new', createdAt: added.data[0].updatedAt }]);
  expect(added.data[0].createdAt > createdAt).toBe(true);
  const broken = { ...document, courses: [{ ...document.courses[0], slug: 7 }] };
  expect((await importText(JSON.stringify(broken), 'json')).failures).toMatchObject([{ kind: 'course', path: 'slug' }]);
});

it('is described with its own paths, schemas and words', async () => {
  const { paths, components } = await openApiDocument();
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/api/v1/manage/courses', '/api/v1/manage/courses/{id}']));
  expect(components.schemas['CourseRecord']).toMatchObject({ description: 'A course as it is stored.' });
  expect(components.schemas['CourseInput']).toMatchObject({ required: ['slug', 'name'] });
  const { get } = paths['/api/v1/manage/courses'] as { get: { parameters: { name: string; description: string }[] } };
  expect(get.parameters).toContainEqual(
    expect.objectContaining({ name: 'teacher', description: 'Only courses of this teacher.' }),
  );
  expect(documentSchema()).toMatchObject({ properties: { courses: { type: 'array' } } });
});

it('is called through the client, whose types of the package have it', async () => {
  const sent: string[] = [];
  const transport = new Transport({
    baseUrl: 'https://api.example',
    fetch: async (input, init) => {
      sent.push(`${init?.method} ${new URL(String(input)).pathname}`);
      return Response.json({ data: [], next: null });
    },
  });
  const client = management(transport) as Management & { readonly courses: Records };
  await client.courses.list();
  await client.records('courses').get('brunch');
  expect(sent).toEqual(['GET /api/v1/manage/courses', 'GET /api/v1/manage/courses/brunch']);
  const types = clientTypes(await openApiDocument());
  const course = /readonly courses: \{ ([^{}]*)readonly query: \{([^{}]*)\}; \};/.exec(types);
  expect(course?.[1]).toBe(
    `readonly path: "courses"; readonly record: ManageCoursesListAnswer['data'][number]; readonly input: NewRecord<CourseInput>; `,
  );
  expect(course?.[2]).toContain('readonly isOpen?: boolean | undefined;');
});

it('has its name in both languages in the activity of the console', () => {
  expect([kindTexts.en, kindTexts.ar]).toMatchObject([{ courses: 'Course' }, { courses: 'دورة' }]);
});
